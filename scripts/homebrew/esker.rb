# Homebrew's formula: the library, its header, and the module for Lua. `make dist` writes the version and the hash of the
# source archive into it; whoever publishes sets where the archive lies. Not run by us (docs/install.md).
class Esker < Formula
  desc "Terrain by operations: base terrain, rivers, erosion, playability"
  homepage "file:///"
  url "file:///esker-VERSION.tar.gz"
  sha256 "SHA256"
  license "MIT"

  depends_on "make" => :build
  depends_on "pkgconf" => :build
  depends_on "libpng"
  depends_on "lua@5.4"

  def install
    lua = Formula["lua@5.4"]
    system "gmake", "-j#{ENV.make_jobs}", "CC=clang -D_DARWIN_C_SOURCE", "LUA=#{lua.opt_bin}/lua",
           "LUA_FLAGS=-I#{lua.opt_include}/lua", "LIBDIR=#{lib}", "HARDENING=", "HARDENING_LINKING=", "pages=",
           "build/libesker.1.dylib", "build/module/esker.so"
    include.install "src/esker.h"
    lib.install "build/libesker.1.dylib"
    lib.install_symlink "libesker.1.dylib" => "libesker.dylib"
    (lib/"lua/5.4").install "build/module/esker.so"
  end

  test do
    lua = Formula["lua@5.4"]
    code = 'local esker = require "esker"; assert(esker.noise{ size = 8, seed = 1 }.width == 8)'
    system({ "LUA_CPATH" => "#{lib}/lua/5.4/?.so" }, "#{lua.opt_bin}/lua", "-e", code)
    (testpath/"map.c").write <<~EOS
      #include <esker.h>
      #include <stdio.h>
      int main(void) { return puts(esker_version()) < 0; }
    EOS
    system ENV.cc, "map.c", "-I#{include}", "-L#{lib}", "-lesker", "-o", "map"
    assert_equal version.to_s, shell_output("./map").strip
  end
end
