-- Commands to the terminal, as a result.
return { x = "\27]0;LEAKED\7\27[31m" }
