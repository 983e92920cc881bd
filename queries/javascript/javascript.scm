; What only the JavaScript grammar has.
(field_definition) @field
(using_declaration) @binding
