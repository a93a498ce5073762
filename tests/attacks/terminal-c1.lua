-- Commands in one character, as UTF-8 and as bytes; text that runs the other way.
return { x = "\xC2\x9B31m \x9b31m \u{202E}desrever\u{202C} \u{2066}\u{2069}\u{200F}\u{2028}\u{FEFF}\u{E0041} \xC0\x9b \xED\xA0\x80 \xF4\x90\x80\x80 \xE2\x82" }
