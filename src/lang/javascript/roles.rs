//! What a syntax node can be to the reader: the closed list of captures that query files may use.
//!
//! In: nothing. Out: [`Role`]. Which kinds of nodes have which role is said by `queries/javascript/*.scm`.

macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident = $capture:literal),* $(,)?) => {
        /// What a node is to the reader. Each is a capture that a query file may use.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Role {
            /// Nothing by itself: what stands inside counts.
            Other,
            $($(#[$doc])* $role,)*
        }

        impl Role {
            /// The role that a capture names.
            pub(super) fn of(capture: &str) -> Option<Self> {
                match capture {
                    $($capture => Some(Self::$role),)*
                    _ => None,
                }
            }

            /// The captures there are.
            pub(super) const CAPTURES: &'static [&'static str] = &[$($capture),*];
        }
    };
}

roles! {
    Import = "import",
    ImportAlias = "import.alias",
    Export = "export",
    Function = "function",
    FunctionValue = "function.value",
    Method = "method",
    Parameter = "parameter",
    Class = "class",
    ClassAbstract = "class.abstract",
    ClassValue = "class.value",
    Field = "field",
    Interface = "interface",
    SignatureField = "signature.field",
    SignatureMethod = "signature.method",
    Alias = "alias",
    Enum = "enum",
    Namespace = "namespace",
    Binding = "binding",
    BindingVar = "binding.var",
    BindingOne = "binding.one",
    Assignment = "assignment",
    Augmented = "assignment.augmented",
    Update = "assignment.update",
    PatternObject = "pattern.object",
    PatternArray = "pattern.array",
    PatternDefault = "pattern.default",
    PatternRest = "pattern.rest",
    PatternPair = "pattern.pair",
    PatternShort = "pattern.short",
    Call = "call",
    New = "new",
    LoopCount = "loop.count",
    LoopItems = "loop.items",
    LoopWhile = "loop.while",
    Try = "try",
    Return = "jump.return",
    Break = "jump.break",
    Continue = "jump.continue",
    Throw = "jump.throw",
    Branch = "branch",
    Block = "block",
    Comment = "comment",
    Name = "name",
    This = "this",
    Super = "super",
    Member = "member",
    Index = "index",
    Text = "text",
    Template = "template",
    Number = "number",
    True = "true",
    False = "false",
    Null = "null",
    Undefined = "undefined",
    Object = "object",
    List = "list",
    Spread = "spread",
    Decorator = "decorator",
    Through = "through",
    Await = "await",
    Yield = "yield",
    Unary = "unary",
    Binary = "binary",
    Choice = "choice",
    Sequence = "sequence",
    Regex = "regex",
    Markup = "markup",
    TypeName = "type.name",
    TypeGeneric = "type.generic",
    TypeList = "type.list",
    TypeTuple = "type.tuple",
    TypeUnion = "type.union",
    TypeBoth = "type.both",
    TypeFunction = "type.function",
    TypeObject = "type.object",
    TypeQuery = "type.query",
    TypeInner = "type.inner",
    TypeLiteral = "type.literal",
    Ignored = "ignored",
}

impl Role {
    /// Whether a node of this role is a value.
    pub(super) const fn is_value(self) -> bool {
        use Role::*;
        matches!(
            self,
            FunctionValue
                | ClassValue
                | Assignment
                | Augmented
                | Update
                | Call
                | New
                | Name
                | This
                | Super
                | Member
                | Index
                | Text
                | Template
                | Number
                | True
                | False
                | Null
                | Undefined
                | Object
                | List
                | Through
                | Await
                | Yield
                | Unary
                | Binary
                | Choice
                | Sequence
                | Regex
                | Markup
        )
    }

    /// Whether a node of this role is a type.
    pub(super) const fn is_type(self) -> bool {
        use Role::*;
        matches!(
            self,
            TypeName
                | TypeGeneric
                | TypeList
                | TypeTuple
                | TypeUnion
                | TypeBoth
                | TypeFunction
                | TypeObject
                | TypeQuery
                | TypeInner
                | TypeLiteral
        )
    }
}
