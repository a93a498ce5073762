// The program `esker`: reads the command line, runs one command of lua/esker/main.lua, and turns the outcome
// into an exit status: 0 done, 1 the recipe failed, 2 wrong usage, 130 interrupted.

#include "cli/apart.h"
#include "cli/contact_sheet.h"
#include "cli/host.h"
#include "cli/interrupt.h"
#include "cli/line_editor.h"
#include "cli/progress.h"
#include "cli/session_host.h"
#include "cli/sqlite_table.h"
#include "cli/worker.h"
#include "cli/workers.h"
#include "core/memory.h"
#include "lua/binding.h"

#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lualib.h>

enum { EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

static const char usage[] =
    "usage: esker RECIPE.lua [NAME=VALUE ...] [-o DIR]   run a recipe, save its pictures, print its numbers\n"
    "       esker [RECIPE.lua [NAME=VALUE ...] -i]       type what to make, and see it; with a recipe's "
    "values\n"
    "       esker sweep RECIPE.lua NAME=VALUES ... [-o DIR] [-j N]   run it over a space of parameters\n"
    "       esker search RECIPE.lua NAME=LOW..HIGH ... --maximize RESULT   find what makes a number large\n"
    "       esker table DIR                              sum up a sweep\n"
    "       esker help [NAME]                            the operations, or one of them\n"
    "       esker info FILE.png                          what made a file, and the command that makes it "
    "again\n"
    "\n"
    "  -o, --output DIR   where pictures go (default: the current folder; made if it is not there)\n"
    "  -j, --threads N    threads to use, 1 to 256 (default: one for each processor)\n"
    "  -i, --interactive  after the recipe stay in a session with its values\n"
    "      --graphics M   pictures in the session: auto, none, blocks, sixel, kitty or iterm2 (or "
    "ESKER_GRAPHICS)\n"
    "      --seed N       the same as seed=N\n"
    "      --json         print the numbers as one JSON object\n"
    "      --hash         save nothing: print a hash of every picture, the same where all bits are\n"
    "  -q, --quiet        neither progress nor the names of saved files\n"
    "      --time-limit S     seconds that a run may take (default: 3600; 0: any)\n"
    "      --memory-limit MB  megabytes that its fields and Lua may take (default: nine tenths of the "
    "machine's)\n"
    "      --trust        let the recipe do all that Lua can: files, processes, the environment\n"
    "      --version      print the version\n"
    "  -h, --help         print this\n"
    "\n"
    "A sweep's VALUES: seed=1..20, talus=8,12,16, magnitude=0..0.5/11, persistence=~0.3..0.7 (drawn). Its "
    "options:\n"
    "      --samples N        how often values are drawn, by --design sobol (default) or latin, "
    "--design-seed N\n"
    "      --from FILE.csv    a row of values a run, combined with the others\n"
    "      --where CONDITION  only runs that meet it, in Lua: \"talus > 2 * k\"\n"
    "      --dry-run          print the runs and their number\n"
    "      --yes              more than 10,000 runs are meant\n"
    "      --fail-fast        stop at the first run that fails\n"
    "      --no-pictures      keep numbers alone\n"
    "      --sqlite           write table.sqlite, too\n"
    "      --sheet FILE.png   write a contact sheet with captions\n"
    "      --shard K/N        the K-th of N shares (or SLURM_ARRAY_TASK_ID and _COUNT); --merge joins their "
    "table\n"
    "      --maximize RESULT  in search: the number to make large; --minimize RESULT: small\n"
    "      --budget N         in search: how many runs (default: 100)\n"
    "      --group NAMES      in table: a summary for each of their values\n"
    "      --share CONDITION  in table: the share of runs that meet it\n"
    "\n"
    "Exit status: 0 done, 1 the recipe failed, 2 wrong usage, 130 interrupted.\n";

enum { LATER = 1000, LATER_MAX = 32 };

static const struct option long_options[] = {
    { "output", required_argument, NULL, 'o' },
    { "threads", required_argument, NULL, 'j' },
    { "interactive", no_argument, NULL, 'i' },
    { "graphics", required_argument, NULL, 'g' },
    { "seed", required_argument, NULL, 's' },
    { "json", no_argument, NULL, 'J' },
    { "quiet", no_argument, NULL, 'q' },
    { "trust", no_argument, NULL, 't' },
    { "version", no_argument, NULL, 'V' },
    { "help", no_argument, NULL, 'h' },
    // Handed to Lua by their names.
    { "samples", required_argument, NULL, LATER },
    { "design", required_argument, NULL, LATER },
    { "design-seed", required_argument, NULL, LATER },
    { "from", required_argument, NULL, LATER },
    { "where", required_argument, NULL, LATER },
    { "time-limit", required_argument, NULL, LATER },
    { "memory-limit", required_argument, NULL, LATER },
    { "shard", required_argument, NULL, LATER },
    { "maximize", required_argument, NULL, LATER },
    { "minimize", required_argument, NULL, LATER },
    { "budget", required_argument, NULL, LATER },
    { "sheet", required_argument, NULL, LATER },
    { "group", required_argument, NULL, LATER },
    { "share", required_argument, NULL, LATER },
    { "hash", no_argument, NULL, LATER },
    { "dry-run", no_argument, NULL, LATER },
    { "yes", no_argument, NULL, LATER },
    { "fail-fast", no_argument, NULL, LATER },
    { "no-pictures", no_argument, NULL, LATER },
    { "merge", no_argument, NULL, LATER },
    { "sqlite", no_argument, NULL, LATER },
    { NULL, 0, NULL, 0 },
};

typedef struct Options {
    const char *command, *target, *output, *seed, *graphics;
    bool json, quiet, trust, interactive;
    char **words; // NAME=VALUE …
    int word_count;
    int later_count;
    struct Later {
        const char *name, *value;
    } later[LATER_MAX];
} Options;

static int complain(const char *text) {
    fprintf(stderr, "esker: %s\nTry esker --help.\n", text);
    return EXIT_USAGE;
}

static bool read_threads(const char *text) {
    char *end;
    const long count = strtol(text, &end, 10);
    if (end == text || *end || count < 1 || count > 256)
        return false;
    binding_run.threads = (int)count;
    return true;
}

static bool is_command(const char *word) {
    return strcmp(word, "help") == 0 || strcmp(word, "info") == 0 || strcmp(word, "table") == 0;
}

// Returns -1 to go on, otherwise the exit status.
static int read_options(int count, char **words, Options *options) {
    int option, which = 0;
    while ((option = getopt_long(count, words, "o:j:qih", long_options, &which)) != -1)
        switch (option) {
        case LATER:
            if (options->later_count == LATER_MAX)
                return complain("too many options");
            options->later[options->later_count++] =
                (struct Later){ long_options[which].name, long_options[which].has_arg ? optarg : "yes" };
            break;
        case 'o':
            options->output = optarg;
            break;
        case 'j':
            if (!read_threads(optarg))
                return complain("-j takes a number of threads, 1 to 256");
            break;
        case 'i':
            options->interactive = true;
            break;
        case 'g':
            options->graphics = optarg;
            break;
        case 's':
            options->seed = optarg;
            break;
        case 'J':
            options->json = true;
            break;
        case 'q':
            options->quiet = true;
            break;
        case 't':
            options->trust = true;
            break;
        case 'V':
            puts("esker " ESKER_VERSION);
            return EXIT_SUCCESS;
        case 'h':
            fputs(usage, stdout);
            return EXIT_SUCCESS;
        default: // getopt has said what is wrong
            fputs("Try esker --help.\n", stderr);
            return EXIT_USAGE;
        }
    if (optind == count) {
        options->command = "session";
        return -1;
    }
    const char *first = words[optind++];
    const bool sweep = strcmp(first, "sweep") == 0 || strcmp(first, "search") == 0,
               command = is_command(first) || sweep;
    options->command = command ? first : options->interactive ? "session" : "run";
    options->target = command ? words[optind] : first; // words ends with NULL
    optind += command && words[optind];
    options->words = words + optind;
    options->word_count = count - optind;
    if (command && !sweep && options->word_count > 0)
        return complain("help, info and table take one name");
    return -1;
}

static void push_options(lua_State *L, const Options *options) {
    lua_newtable(L);
    set_text(L, "command", options->command);
    set_text(L, "target", options->target);
    set_text(L, "output", options->output);
    set_text(L, "seed", options->seed);
    set_text(L, "graphics", options->graphics);
    set_flag(L, "json", options->json);
    set_flag(L, "quiet", options->quiet);
    set_flag(L, "trust", options->trust);
    for (int i = 0; i < options->later_count; i++)
        set_text(L, options->later[i].name, options->later[i].value);
    lua_createtable(L, options->word_count, 0);
    for (int i = 0; i < options->word_count; i++) {
        lua_pushstring(L, options->words[i]);
        lua_seti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "words");
}

// Everything that may raise an error: runs protected. Argument 1: the options.
static int run_command(lua_State *L) {
    const Options *options = lua_touserdata(L, 1);
    luaL_openlibs(L);
    luaL_requiref(L, "esker", luaopen_esker, 0);
    register_host(L);
    register_session_host(L);
    register_workers(L);
    register_apart(L);
    register_sqlite(L);
    register_canvas(L);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "esker.main");
    lua_call(L, 1, 1);
    push_options(L, options);
    lua_call(L, 1, 1);
    return 1;
}

// Text from a recipe: no control character reaches the terminal but the end of a line and the tab.
static void print_error(const char *prefix, const char *text) {
    fputs(prefix, stderr);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        const bool second = at[0] == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f; // C1 in UTF-8
        const bool control = (*at < ' ' && *at != '\n' && *at != '\t') || *at == 0x7f || second;
        putc(control ? '?' : *at, stderr);
        at += second;
    }
    putc('\n', stderr);
}

// Prints what was raised and returns the exit status.
static int report(lua_State *L, int outcome) {
    if (outcome == LUA_ERRMEM) {
        fprintf(stderr, "esker: not enough memory: fields and Lua may take %.0f MiB (--memory-limit)\n",
                (double)memory_limit() * 0x1p-20);
        return EXIT_FAILURE;
    }
    lua_pushliteral(L, "usage");
    if (lua_istable(L, -2) && lua_rawget(L, -2) == LUA_TSTRING) { // raw: nothing here is protected
        print_error("esker: ", lua_tostring(L, -1));
        return EXIT_USAGE;
    }
    lua_pop(L, 1);
    const char *text = lua_tostring(L, -1);
    if (!text)
        text = "esker: the recipe raised an error that is not a string";
    // A place in the program's own Lua says nothing to a user.
    static const char own[] = "lua/esker/";
    const char *rest = strncmp(text, own, sizeof own - 1) == 0 ? strstr(text, ": ") : NULL;
    print_error(rest ? "esker" : "", rest ? rest : text);
    return EXIT_FAILURE;
}

int main(int count, char **words) {
    Options options = { 0 };
    int status = read_options(count, words, &options);
    if (status >= 0)
        return status;
    lua_State *L = new_state();
    if (!L)
        return complain("not enough memory to start");
    interrupt_watch(L, &binding_run);
    if (!options.quiet)
        progress_show(&binding_run);

    const bool session = strcmp(options.command, "session") == 0;
    if (session) {
        setlocale(LC_CTYPE, ""); // for what is typed; numbers keep their points
        if (isatty(STDIN_FILENO))
            interrupt_stay();
    }
    lua_pushcfunction(L, run_command);
    lua_pushlightuserdata(L, &options);
    const int outcome = lua_pcall(L, 1, 1, 0);
    progress_clear();
    line_editor_end();
    if (interrupt_is_late()) { // its parent tells of the limit, this process where it was
        if (outcome != LUA_OK && lua_tostring(L, -1))
            print_error("", lua_tostring(L, -1));
        return EXIT_TIME;
    }
    if (run_stopped(&binding_run)) {
        fputs("esker: interrupted\n", stderr);
        return EXIT_INTERRUPTED;
    }
    status = outcome == LUA_OK ? (int)lua_tointeger(L, -1) : report(L, outcome);
    interrupt_forget(); // collecting a last field is no work to be interrupted
    lua_close(L);
    if (fflush(stdout) != 0 && status == EXIT_SUCCESS) {
        fputs("esker: standard output could not be written\n", stderr);
        status = EXIT_FAILURE;
    }
    return status;
}
