// Confined processes that stay: each calls one function with one message after another, and keeps what the
// function keeps: require "esker.worker".
// Both directions of a worker's socket carry messages. Before its answer a worker may send notes: a size with
// NOTE, then a kind, a zero and a text. The parent never waits for a worker.

#define _GNU_SOURCE // SOCK_CLOEXEC, open_memstream

#include "cli/interrupt.h"
#include "cli/modules.h"
#include "cli/process.h"
#include "cli/progress_note.h"
#include "cli/sandbox.h"
#include "cli/serialize.h"
#include "cli/waiting.h"
#include "core/math.h"
#include "core/parallel.h"
#include "core/whole.h"
#include "lua/binding.h"

#include <errno.h>
#include <lauxlib.h>
#include <lua.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// --- sockets -----------------------------------------------------------------------------------------------

static bool bytes_write(int socket, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t wrote = write(socket, bytes, size);
        if (wrote < 0 && errno != EINTR)
            return false;
        bytes += wrote > 0 ? wrote : 0;
        size -= wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

static bool bytes_read(int socket, char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t got = read(socket, bytes, size);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        bytes += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

// Waits for the next message; false when the socket is closed.
static bool message_read(int socket, Message *message) {
    uint64_t size;
    if (!bytes_read(socket, (char *)&size, sizeof size) || size > MESSAGE_MAX)
        return false;
    *message = (Message){ .bytes = malloc(sizeof size + size), .size = sizeof size + size };
    return message->bytes && bytes_read(socket, message->bytes + sizeof size, size);
}

// --- workers -----------------------------------------------------------------------------------------------

static const char worker_type[] = "esker.worker";
#define NOTE ((uint64_t)1 << 63)

typedef struct Worker {
    int number, socket; // of the process; -1: it has ended
    pid_t parent;       // whose worker it is: no other process ends it
    bool busy;
    Message answer; // as far as it has come
} Worker;

// --- in the worker -----------------------------------------------------------------------------------------

static int own_socket = -1; // of this process, if it is a worker

static void send_note(const char *kind, const char *text, size_t size) {
    const size_t kind_size = strlen(kind) + 1;
    const uint64_t head = (kind_size + size) | NOTE;
    if (own_socket >= 0 && bytes_write(own_socket, (const char *)&head, sizeof head) &&
        bytes_write(own_socket, kind, kind_size))
        bytes_write(own_socket, text, size);
}

// worker.tell(kind, text): a note to the process that waits for the answer; in any other, nothing.
static int worker_tell(lua_State *L) {
    size_t size;
    const char *kind = luaL_checkstring(L, 1), *text = luaL_checklstring(L, 2, &size);
    send_note(kind, text, size);
    return 0;
}

static void send_progress(const char *text, size_t size) {
    send_note("progress", text, size);
}

// Leaves { true, the function's value } or { false, its error }. Function at 2, message on top.
static void answer(lua_State *L, double seconds) {
    lua_pushvalue(L, 2);
    lua_insert(L, -2);
    interrupt_begin_task(seconds);
    progress_note_begin();
    const bool well = lua_pcall(L, 1, 1, 0) == LUA_OK;
    const bool late = interrupt_is_late(), stopped = run_stopped(&binding_run);
    interrupt_end_task();
    lua_createtable(L, 2, 0);
    lua_pushboolean(L, well && !late && !stopped);
    lua_seti(L, -2, 1);
    char limit[40];
    snprintf(limit, sizeof limit, "%g", seconds);
    if (late)
        lua_pushfstring(L, "the time limit of %s s is over (--time-limit)", limit);
    else if (stopped)
        lua_pushliteral(L, "superseded");
    else
        lua_pushvalue(L, -2);
    lua_seti(L, -2, 2);
}

// Limits at 1, function at 2, socket at 3.
static int work(lua_State *L) {
    const int socket = (int)lua_tointeger(L, 3);
    limits_keep(L, 1, socket);
    progress_note_send(&binding_run, send_progress);
    own_socket = socket;
    Message message;
    while (lua_settop(L, 3), message_read(socket, &message)) {
        const bool well = message_push(L, message.bytes, message.size);
        free(message.bytes);
        if (!well)
            return lua_error(L);
        answer(L, limits_time(L, 1));
        message = message_of(L, -1);
        const bool sent = bytes_write(socket, message.bytes, message.size);
        free(message.bytes);
        if (!sent)
            break;
    }
    return 0;
}

static _Noreturn void be_a_worker(lua_State *L, int socket) {
    lua_pushcfunction(L, work);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_pushinteger(L, socket);
    const int outcome = lua_pcall(L, 3, 0, 0);
    if (outcome != LUA_OK && !run_stopped(&binding_run) && lua_isstring(L, -1)) // stopped between two tasks
        fprintf(stderr, "esker: %s\n", lua_tostring(L, -1));
    _exit(outcome == LUA_OK ? EXIT_SUCCESS : EXIT_FAILURE);
}

// --- in the parent -----------------------------------------------------------------------------------------

// worker.start(limits, function): starts one.
static int worker_start(lua_State *L) {
    int sockets[2];
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    Worker *worker = lua_newuserdatauv(L, sizeof *worker, 0);
    *worker = (Worker){ .socket = -1, .parent = getpid() };
    luaL_setmetatable(L, worker_type);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return luaL_error(L, "a process could not be started: %s", strerror(errno));
    worker->socket = sockets[0];
    worker->number = process_start(L);
    if (worker->number == 0) {
        close(sockets[0]);
        be_a_worker(L, sockets[1]);
    }
    close(sockets[1]);
    return 1;
}

static Worker *to_worker(lua_State *L) {
    return luaL_checkudata(L, 1, worker_type);
}

// worker:kill(): ends it; returns how it ended, where that was not by itself.
static int worker_kill(lua_State *L) {
    Worker *worker = to_worker(L);
    if (worker->socket < 0 || worker->parent != getpid())
        return 0;
    close(worker->socket);
    worker->socket = -1;
    free(worker->answer.bytes);
    worker->answer = (Message){ 0 };
    process_end(L, worker->number);
    return 1;
}

// worker:send(value): gives it a task; false where it has ended.
static int worker_send(lua_State *L) {
    Worker *worker = to_worker(L);
    if (worker->busy || worker->socket < 0)
        return luaL_error(L, "the worker is busy");
    Message message = message_of(L, 2);
    size_t sent = 0;
    while (sent < message.size) {
        const ssize_t wrote = send(worker->socket, message.bytes + sent, message.size - sent, MSG_NOSIGNAL);
        if (wrote < 0 && errno != EINTR)
            break;
        sent += wrote > 0 ? (size_t)wrote : 0;
    }
    free(message.bytes);
    worker->busy = true;
    lua_pushboolean(L, sent == message.size);
    return 1;
}

// Reads what has come; false at the end.
static bool take_bytes(Worker *worker) {
    Message *answer = &worker->answer;
    enum { PIECE = 1 << 18 };
    for (;;) {
        if (answer->room - answer->size < PIECE) {
            const size_t room = 2 * answer->room + PIECE;
            char *bytes = room <= 2 * MESSAGE_MAX + PIECE ? realloc(answer->bytes, room) : NULL;
            if (!bytes)
                return false;
            answer->bytes = bytes;
            answer->room = room;
        }
        const ssize_t got = recv(worker->socket, answer->bytes + answer->size, PIECE, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return true;
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        answer->size += got > 0 ? (size_t)got : 0;
    }
}

// The bytes of the first message that has come, 0 where it is not whole; and whether it is a note.
static size_t first_message(const Message *come, bool *note) {
    uint64_t size = 0;
    if (come->size < sizeof size)
        return 0;
    memcpy(&size, come->bytes, sizeof size);
    *note = size & NOTE;
    size &= ~NOTE;
    return come->size - sizeof size >= size ? (size_t)(sizeof size + size) : 0;
}

static void forget_first(Message *come, size_t size) {
    come->size -= size;
    memmove(come->bytes, come->bytes + size, come->size);
}

static int push_note(lua_State *L, const char *bytes, size_t size) {
    const size_t kind = strnlen(bytes, size);
    lua_pushliteral(L, "note");
    lua_pushlstring(L, bytes, kind);
    lua_pushlstring(L, bytes + min(kind + 1, size), size - min(kind + 1, size));
    return 3;
}

// worker:receive(): nothing where nothing whole is there yet; "note", its kind and text; true and the task's
// value; false and the error of the task; nil and how the worker has ended.
static int worker_receive(lua_State *L) {
    Worker *worker = to_worker(L);
    const bool open = worker->socket >= 0 && take_bytes(worker);
    bool note = false;
    const size_t size = first_message(&worker->answer, &note), head = sizeof(uint64_t);
    if (size == 0) {
        if (open)
            return 0;
        lua_pushnil(L);
        lua_insert(L, 2);
        return 1 + worker_kill(L);
    }
    if (note) {
        const int pushed = push_note(L, worker->answer.bytes + head, size - head);
        forget_first(&worker->answer, size);
        return pushed;
    }
    const bool well = message_push(L, worker->answer.bytes, size) && lua_istable(L, -1);
    free(worker->answer.bytes);
    worker->answer = (Message){ 0 };
    worker->busy = false;
    if (!well) {
        worker_kill(L);
        lua_pushnil(L);
        lua_pushliteral(L, "the recipe's process sent something that cannot be read");
        return 2;
    }
    lua_geti(L, -1, 1);
    lua_geti(L, -2, 2);
    return 2;
}

// worker:stop(): asks it to end its task, which then fails; one that does not hear is gone a moment later.
static int worker_stop(lua_State *L) {
    const Worker *worker = to_worker(L);
    if (worker->socket >= 0 && worker->busy)
        kill(process_id(worker->number), SIGINT);
    return 0;
}

static int worker_descriptor(lua_State *L) {
    lua_pushinteger(L, to_worker(L)->socket);
    return 1;
}

static const luaL_Reg methods[] = {
    { "send", worker_send }, { "receive", worker_receive },       { "stop", worker_stop },
    { "kill", worker_kill }, { "descriptor", worker_descriptor }, { NULL, NULL }
};

// worker.wait(seconds, descriptors): waits until one of them can be read; gives the set of those that can.
static int worker_wait(lua_State *L) {
    struct pollfd descriptors[DESCRIPTORS_MAX];
    const double seconds = luaL_checknumber(L, 1);
    const int count = read_descriptors(L, 2, descriptors);
    wait_for(descriptors, count, double_to_within(seconds * 1000, 0, 60000));
    push_ready(L, descriptors, count);
    return 1;
}

static const luaL_Reg functions[] = {
    { "start", worker_start }, { "tell", worker_tell }, { "wait", worker_wait }, { NULL, NULL }
};

static int open_worker(lua_State *L) {
    define_class(L, worker_type, methods, worker_kill);
    luaL_newlib(L, functions);
    return 1;
}

void register_worker(lua_State *L) {
    luaL_requiref(L, "esker.worker", open_worker, 0);
    lua_pop(L, 1);
}
