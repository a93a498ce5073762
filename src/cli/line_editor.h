// Interactive line input with editing, history and completion, through libedit; plain lines without it or
// from a pipe.

#ifndef ESKER_LINE_EDITOR_H
#define ESKER_LINE_EDITOR_H

#include <stddef.h>

// A completion: this many bytes before the cursor are replaced by `insert`, then `list` is shown below.
// Both may be NULL.
typedef struct Completion {
    int replace;
    const char *insert, *list;
} Completion;

// Called when the tab key is pressed, with the text before the cursor. The texts stay valid until the next
// call.
typedef Completion Completer(void *context, const char *before);

typedef enum LineOutcome { LINE_READ, LINE_CLEARED, LINE_END } LineOutcome; // CLEARED: by Ctrl-C

void line_editor_complete_by(Completer *completer, void *context);

// The next line, without its newline, valid until the next call.
LineOutcome line_editor_read(const char *prompt, const char **line);

// Adds a line to the history.
void line_editor_remember(const char *line);

void line_editor_end(void);

#endif
