-- Runs in a Neovim without a screen. Telescope is faked, notesearch is the real one.

local shown, told = {}, {}

local function module(name, content)
  package.preload[name] = function()
    return content
  end
end

module("telescope", { register_extension = function(extension) return extension end })
module("telescope.config", { values = { grep_previewer = function() return "preview" end } })
module("telescope.sorters", { empty = function() return "no sorter" end })
module("telescope.finders", {
  new_job = function(command, entry) return { command = command, entry = entry } end,
})
module("telescope.pickers", {
  new = function(_, picker)
    return { find = function() table.insert(shown, picker) end }
  end,
})
vim.notify = function(text) table.insert(told, text) end

local find_notes = require("telescope._extensions.notesearch").exports.notesearch

-- A query becomes one argument; entries lead to the line.
find_notes({})
local finder = shown[1].finder
assert(finder.command("  ") == nil)
local odd = "ramen'; touch x \"$(y)\""
local command = finder.command(odd)
assert(command[#command] == odd and command[#command - 1] == "--")
local lines = vim.fn.systemlist(finder.command("ramen bowl"))
local entry = finder.entry(lines[#lines])
assert(entry.filename == vim.env.VAULT .. "/travel/japan.md", vim.inspect(lines))
assert(entry.lnum == 9)
assert(entry.display == "japan › Food › Ramen: A bowl of ramen costs 900 yen & more.", entry.display)
assert(finder.entry("notesearch: Only words were searched.") == nil)

-- The folder can be chosen.
find_notes({ vault = "work" })
assert(table.concat(shown[2].finder.command("x"), " "):find("--vault work -- x", 1, true))

-- Without notesearch, one sentence says so.
vim.env.PATH = "/nowhere"
find_notes({})
assert(#shown == 2 and told[1]:find("install it", 1, true))
print("1 passed, 0 failed")
