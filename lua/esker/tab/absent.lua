-- In a browser's tab there are no files, processes, terminal or other libraries: what stands in place of the program's
-- C modules.

local tab = require "esker.tab"

local function no_file(path)
    return nil, ("cannot read '%s': a page has no files"):format(path)
end

package.loaded["esker.files"] = {
    open = no_file,
    folder = no_file,
    is_file = function() return false end,
    beside = function() end,
    names = function() return {} end,
}
package.loaded["esker.process"] = { lacks = function() end }
package.loaded["esker.terminal"] = {
    is_terminal = function() return false, false end,
    size = function() return 80, 24 end,
}
package.loaded["esker.worker"] = { tell = function(kind, text) tab.tell("note", 0, kind, text) end }
-- Fields larger than memory lie in files.
local function no_large()
    error("large and mosaic need files, which a page does not have", 0)
end
package.loaded["esker.large.field"] = no_large
package.loaded["esker.large.mosaic"] = { of = no_large }
require("esker.file.formats").opens_libraries = false
