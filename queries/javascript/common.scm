; Where things stand in the syntax tree, for every grammar of the family.
; One pattern a line: (node_kind) @capture. The captures are a closed list: src/lang/javascript/roles.rs.

; modules
(import_statement) @import
(export_statement) @export

; functions and classes
(function_declaration) @function
(generator_function_declaration) @function
(function_expression) @function.value
(generator_function) @function.value
(arrow_function) @function.value
(method_definition) @method
(class_declaration) @class
(class) @class.value

; bindings and assignments
(lexical_declaration) @binding
(variable_declaration) @binding.var
(variable_declarator) @binding.one
(assignment_expression) @assignment
(augmented_assignment_expression) @assignment.augmented
(update_expression) @assignment.update
(object_pattern) @pattern.object
(array_pattern) @pattern.array
(assignment_pattern) @pattern.default
(object_assignment_pattern) @pattern.default
(rest_pattern) @pattern.rest
(pair_pattern) @pattern.pair
(shorthand_property_identifier_pattern) @pattern.short

; calls
(call_expression) @call
(new_expression) @new

; control
(for_statement) @loop.count
(for_in_statement) @loop.items
(while_statement) @loop.while
(do_statement) @loop.while
(try_statement) @try
(return_statement) @jump.return
(break_statement) @jump.break
(continue_statement) @jump.continue
(throw_statement) @jump.throw
(if_statement) @branch
(statement_block) @block
(switch_body) @block
(comment) @comment
(html_comment) @comment
(hash_bang_line) @comment

; values
(identifier) @name
(meta_property) @name
(shorthand_property_identifier) @name
(this) @this
(super) @super
(member_expression) @member
(subscript_expression) @index
(string) @text
(template_string) @template
(number) @number
(true) @true
(false) @false
(null) @null
(undefined) @undefined
(object) @object
(array) @list
(spread_element) @spread
(decorator) @decorator
(parenthesized_expression) @through
(await_expression) @await
(yield_expression) @yield
(unary_expression) @unary
(binary_expression) @binary
(ternary_expression) @choice
(sequence_expression) @sequence
(regex) @regex

; labels name no value
(statement_identifier) @ignored
(property_identifier) @ignored
(private_property_identifier) @ignored
