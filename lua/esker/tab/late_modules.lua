-- The modules that come into a page after its first picture (late.lua).

return {
    "esker.explore.completion", "esker.explore.defaults", "esker.explore.edits", "esker.explore.saving",
    "esker.explore.tokens", "esker.functions", "esker.help.command", "esker.help.completion", "esker.help.elsewhere",
    "esker.help.wishes", "esker.recipe.confined", "esker.session.display", "esker.session.functions",
}
