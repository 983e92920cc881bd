; What the TypeScript and TSX grammars add.
(abstract_class_declaration) @class.abstract
(interface_declaration) @interface
(type_alias_declaration) @alias
(enum_declaration) @enum
(internal_module) @namespace
(module) @namespace
(import_alias) @import.alias
(public_field_definition) @field
(property_signature) @signature.field
(method_signature) @signature.method
(abstract_method_signature) @signature.method
(required_parameter) @parameter
(optional_parameter) @parameter

; types around values
(as_expression) @through
(satisfies_expression) @through
(non_null_expression) @through
(instantiation_expression) @through

; types
(type_identifier) @type.name
(nested_type_identifier) @type.name
(predefined_type) @type.name
(this_type) @type.name
(generic_type) @type.generic
(array_type) @type.list
(tuple_type) @type.tuple
(union_type) @type.union
(intersection_type) @type.both
(function_type) @type.function
(object_type) @type.object
(type_query) @type.query
(type_annotation) @type.inner
(parenthesized_type) @type.inner
(readonly_type) @type.inner
(optional_type) @type.inner
(literal_type) @type.literal

; types that say nothing about a client, and what exists for the checker alone
(type_arguments) @ignored
(type_parameters) @ignored
(type_predicate_annotation) @ignored
(asserts_annotation) @ignored
(index_signature) @ignored
(call_signature) @ignored
(construct_signature) @ignored
(conditional_type) @ignored
(lookup_type) @ignored
(index_type_query) @ignored
(template_literal_type) @ignored
(constructor_type) @ignored
(infer_type) @ignored
(function_signature) @ignored
(ambient_declaration) @ignored
(accessibility_modifier) @ignored
(override_modifier) @ignored
