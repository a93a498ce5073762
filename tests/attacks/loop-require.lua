-- A module that does not return.
require "endless"
