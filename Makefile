# Esker. `make` builds build/esker (the program), build/esker.so (the module for a stock Lua) and
# build/libesker.a (the engine without Lua); `make help` lists the other targets.

BUILD   ?= build
PREFIX  ?= /usr/local
VERSION := 0.1.0

ifeq ($(origin CC),default)
CC := gcc
endif
OPTIMISE ?= -O3
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
# No contraction and no fast-math: the same seed gives the same bytes on every machine (docs/architecture.md).
CFLAGS   += -std=c11 $(OPTIMISE) -g -fPIC -pthread -ffp-contract=off -fno-math-errno $(WARNINGS) $(SANITIZE)
CPPFLAGS += -Isrc -D_POSIX_C_SOURCE=200809L -DESKER_VERSION='"$(VERSION)"'
ifneq ($(SANITIZE),)
CPPFLAGS += -DESKER_PLAIN_KERNELS
endif

LUA       ?= lua5.4
LUA_FLAGS := $(shell pkg-config --cflags lua5.4)
LUA_LIBS  := $(shell pkg-config --libs lua5.4)
PNG_FLAGS := $(shell pkg-config --cflags libpng)
PNG_LIBS  := $(shell pkg-config --libs libpng)
CPPFLAGS  += $(LUA_FLAGS) $(PNG_FLAGS)

engine_folders := core base filter erosion analysis subdivision rivers picture file
engine_sources := src/operations.c $(foreach folder,$(engine_folders),$(wildcard src/$(folder)/*.c))
lua_sources    := $(wildcard src/lua/*.c)
cli_sources    := $(wildcard src/cli/*.c)
lua_modules    := $(wildcard lua/esker/*.lua)
test_sources   := $(wildcard tests/*/test_*.c)

objects = $(patsubst src/%.c,$(BUILD)/obj/%.o,$(1))
tests   := $(patsubst tests/%.c,$(BUILD)/tests/%,$(test_sources))

all: $(BUILD)/esker $(BUILD)/esker.so $(BUILD)/libesker.a

$(BUILD)/libesker.a: $(call objects,$(engine_sources))
	rm -f $@ && ar rcs $@ $^

# The Lua modules travel inside the program and the C module: one file to install, none to go astray.
$(BUILD)/embedded.c: scripts/embed.lua $(lua_modules)
	@mkdir -p $(@D)
	$(LUA) scripts/embed.lua $(lua_modules) > $@.new && mv $@.new $@

$(BUILD)/embedded.o: $(BUILD)/embedded.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

$(BUILD)/esker: $(call objects,$(cli_sources) $(lua_sources)) $(BUILD)/embedded.o $(BUILD)/libesker.a
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LUA_LIBS) $(PNG_LIBS) -lm -o $@

# Lua itself comes from the host program.
$(BUILD)/esker.so: $(call objects,$(lua_sources)) $(BUILD)/embedded.o $(BUILD)/libesker.a
	$(CC) -shared $(CFLAGS) $(LDFLAGS) $^ $(PNG_LIBS) -lm -o $@

$(BUILD)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/tests/%: tests/%.c tests/support.h $(BUILD)/libesker.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Itests $(CFLAGS) $< $(BUILD)/libesker.a -lcmocka $(PNG_LIBS) -lm -o $@

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

tests: $(tests)

check-c: $(tests)
	CMOCKA_MESSAGE_OUTPUT=tap prove --exec '' $(tests)

.PHONY: all tests check-c
.DELETE_ON_ERROR:
