; <Type>value: the TypeScript grammar alone, where markup cannot begin with `<`.
(type_assertion) @through
