#include "cli/line_editor.h"

#include "core/dynamic_library.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *plain_line;
static size_t plain_room;

static bool is_terminal(void) {
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

static LineOutcome read_plain(const char *prompt, const char **line) {
    if (is_terminal()) {
        fputs(prompt, stdout);
        fflush(stdout);
    }
    ssize_t length = getline(&plain_line, &plain_room, stdin);
    if (length < 0)
        return LINE_END;
    while (length > 0 && (plain_line[length - 1] == '\n' || plain_line[length - 1] == '\r'))
        plain_line[--length] = '\0';
    *line = plain_line;
    return LINE_READ;
}

#ifdef ESKER_LIBEDIT

#include <histedit.h>

#define EDIT(function)                                                                                       \
    function(el_, deletestr) function(el_, end) function(el_, gets) function(el_, init)                      \
        function(el_, insertstr) function(el_, line) function(el_, reset) function(el_, resize)              \
            function(el_, set) function(, history) function(, history_init) function(, history_end)
OPTIONAL_LIBRARY(edit, "libedit.so.2", EDIT)

enum { HISTORY_LINES = 10000 };

static EditLine *editor;
static History *history_lines;
static const char *shown_prompt = "";
static Completer *completer;
static void *completer_context;
static bool cleared;
static char *edited_line;

static char *prompt_text(EditLine *unused) {
    (void)unused;
    return (char *)shown_prompt; // libedit only reads it
}

static unsigned char clear_line(EditLine *unused, int key) {
    (void)unused;
    (void)key;
    cleared = true;
    fputs("^C\n", stdout);
    return CC_EOF;
}

static unsigned char complete_line(EditLine *unused, int key) {
    (void)unused;
    (void)key;
    if (!completer)
        return CC_ERROR;
    const LineInfo *info = edit.line(editor);
    const size_t length = (size_t)(info->cursor - info->buffer);
    char *before = malloc(length + 1);
    if (!before)
        return CC_ERROR;
    memcpy(before, info->buffer, length);
    before[length] = '\0';
    const Completion completion = completer(completer_context, before);
    free(before);
    if (completion.insert) {
        edit.deletestr(editor, completion.replace);
        edit.insertstr(editor, completion.insert);
    }
    if (completion.list)
        printf("\n%s\n", completion.list);
    return completion.list ? CC_REDISPLAY : completion.insert ? CC_REFRESH : CC_ERROR;
}

// While a line is edited, Ctrl-C is a key that clears the line; otherwise it is a signal.
static bool begin(void) {
    if (editor)
        return true;
    if (!open_edit())
        return false;
    editor = edit.init("esker", stdin, stdout, stderr);
    history_lines = edit.history_init();
    if (!editor || !history_lines)
        return false;
    HistEvent event;
    edit.history(history_lines, &event, H_SETSIZE, HISTORY_LINES);
    edit.history(history_lines, &event, H_SETUNIQUE, 1);
    edit.set(editor, EL_PROMPT, prompt_text);
    edit.set(editor, EL_EDITOR, "emacs");
    edit.set(editor, EL_HIST, edit.history, history_lines);
    edit.set(editor, EL_ADDFN, "esker-clear", "Clear the line", clear_line);
    edit.set(editor, EL_ADDFN, "esker-complete", "Complete the word", complete_line);
    edit.set(editor, EL_BIND, "^C", "esker-clear", NULL);
    edit.set(editor, EL_BIND, "^I", "esker-complete", NULL);
    edit.set(editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
    edit.set(editor, EL_SETTY, "-d", "-isig", NULL);
    return true;
}

void line_editor_complete_by(Completer *by, void *context) {
    completer = by;
    completer_context = context;
}

LineOutcome line_editor_read(const char *prompt, const char **line) {
    if (!is_terminal() || !begin())
        return read_plain(prompt, line);
    shown_prompt = prompt;
    cleared = false;
    edit.resize(editor);
    int length = 0;
    const char *text = edit.gets(editor, &length);
    if (cleared) {
        edit.reset(editor);
        return LINE_CLEARED;
    }
    if (!text || length <= 0)
        return LINE_END;
    free(edited_line);
    edited_line = strdup(text);
    if (!edited_line)
        return LINE_END;
    edited_line[strcspn(edited_line, "\r\n")] = '\0';
    *line = edited_line;
    return LINE_READ;
}

void line_editor_remember(const char *line) {
    HistEvent event;
    if (isatty(STDIN_FILENO) && begin())
        edit.history(history_lines, &event, H_ENTER, line);
}

void line_editor_end(void) {
    if (history_lines)
        edit.history_end(history_lines);
    if (editor)
        edit.end(editor);
    history_lines = NULL;
    editor = NULL;
    free(edited_line);
    free(plain_line);
    edited_line = plain_line = NULL;
}

#else

void line_editor_complete_by(Completer *by, void *context) {
    (void)by;
    (void)context;
}

LineOutcome line_editor_read(const char *prompt, const char **line) {
    return read_plain(prompt, line);
}

void line_editor_remember(const char *line) {
    (void)line;
}

void line_editor_end(void) {
    free(plain_line);
    plain_line = NULL;
}

#endif
