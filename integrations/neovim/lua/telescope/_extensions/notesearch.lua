-- Finds sections of notes, by words and by meaning, in a Telescope picker.

local telescope = require("telescope")
local config = require("telescope.config").values
local finders = require("telescope.finders")
local pickers = require("telescope.pickers")
local sorters = require("telescope.sorters")

local PAUSE_MS = 150

-- Returns the entry for a line of "notesearch search --format line"; nil for any other line.
local function entry_of(line)
  local file, number, text = line:match("^(.-):(%d+): (.*)$")
  if not file then
    return nil
  end
  local note = vim.fn.fnamemodify(file, ":t:r")
  return {
    value = line,
    ordinal = line,
    display = note .. " › " .. text,
    filename = file,
    lnum = tonumber(number),
    col = 1,
  }
end

-- Returns the command that searches for what was typed; nil for nothing. No shell reads it.
local function command_for(typed, vault)
  if not typed or vim.trim(typed) == "" then
    return nil
  end
  local command = { "notesearch", "search", "--format", "line", "--limit", "50" }
  if vault then
    vim.list_extend(command, { "--vault", vault })
  end
  return vim.list_extend(command, { "--", typed })
end

-- Opens the picker. opts.vault is a notes folder, or its name in the list of notesearch.
local function find_notes(opts)
  opts = opts or {}
  if vim.fn.executable("notesearch") == 0 then
    vim.notify("notesearch was not found: install it, or add its folder to PATH.", vim.log.levels.ERROR)
    return
  end
  local function command(typed)
    return command_for(typed, opts.vault)
  end
  pickers
    .new(opts, {
      prompt_title = "Notes",
      debounce = PAUSE_MS, -- a new command ends the one before
      finder = finders.new_job(command, entry_of, nil, opts.cwd),
      previewer = config.grep_previewer(opts),
      sorter = sorters.empty(), -- notesearch has sorted them
    })
    :find()
end

return telescope.register_extension({ exports = { notesearch = find_notes } })
