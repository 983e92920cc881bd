; Markup inside code: the JavaScript and TSX grammars.
(jsx_element) @markup
(jsx_self_closing_element) @markup
(jsx_closing_element) @ignored
(jsx_namespace_name) @ignored
(jsx_text) @ignored
