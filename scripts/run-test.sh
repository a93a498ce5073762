#!/bin/sh
# Runs one test, whatever it is, so that it prints TAP: a Lua file, a shell script, or a C program.
# The C library overwrites what is freed, so that a pointer that outlived its memory does not work by luck.
export MALLOC_PERTURB_=165
case $1 in
*.lua) exec "${LUA:-lua5.4}" "$1" --output TAP ;;
*.sh) exec sh "$1" ;;
*) exec "$1" ;;
esac
