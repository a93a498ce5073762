-- A text without the white space around it, in a time that is linear in the text: "^%s*(.-)%s*$" is not.

return function(text)
    return text:match("%S.*%S") or text:match("%S") or ""
end
