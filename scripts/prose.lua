-- Counts the sentences of documents: lua5.4 scripts/prose.lua [PAGE …], part of `make lint`. Prints sentences of more
-- than 35 words, and pages with more than 18 words a sentence on average or more than 2,500 words; fails if there are
-- any. `--all` prints each page's figures. Blocks of code, tables, headings, comments, sources and lists of links are
-- left out; code in a line is one word, the address of a link and the ending of a file none.

local LONGEST, MEAN, WORDS = 35, 18, 2500

-- Pages that have no limit but the longest sentence: generated, or lists that grow.
local collections = { ["docs/reference.md"] = true, ["docs/wishes.md"] = true }

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read("a")
end

-- Sources, lists of links, rows of tables and lines of HTML.
local function is_left_out(line)
    return line:find("^Source: ") or line:find("^%- [^:]*: %[") or line:find("^%s*|") or line:find("^%s*<[%a/]")
end

-- Whether what stands between two spaces counts: not an ending of a file, as (.png, and not a mark alone, as an arrow.
local function is_word(text)
    return not text:find("^%(?%.%l") and (text:find("%w") or text:find("[\x80-\xff]") and
        not text:find("^[–—…→·×≤≥±−]+$"))
end

-- The paragraphs of a page, each with its line's number: { line =, text = }. An entry of a list is one.
local function paragraphs(text)
    local found, current, fenced, number = {}, nil, false, 0
    text = text:gsub("<!%-%-.-%-%->", function(comment)
        return comment:gsub("[^\n]", "")
    end)
    for line in (text .. "\n"):gmatch("([^\n]*)\n") do
        number = number + 1
        if line:find("^%s*```") then
            fenced, current = not fenced, nil
        elseif fenced or line:find("^%s*$") or line:find("^#+ ") or is_left_out(line) then
            current = nil
        else
            local entry = line:match("^%s*[-*] (.*)") or line:match("^%s*%d+%. (.*)")
            if entry or not current then
                current = { line = number, text = entry or line }
                found[#found + 1] = current
            else
                current.text = current.text .. " " .. line
            end
        end
    end
    return found
end

-- The text as it is read: without pictures, the addresses of links and marks; code is one word.
local function plain(text)
    text = text:gsub("(`+)(.-)%1", function(_, code)
        return code:find("[.!?]$") and "CODE." or "CODE"
    end)
    text = text:gsub("!%b[]%b()", ""):gsub("(%b[])%b()", function(label)
        return label:sub(2, -2)
    end)
    return (text:gsub("</?%a[^>]*>", ""):gsub("%*", ""))
end

-- Sentences end with . ! or ? before a space and what is no small letter. "e.g." does not end one.
local function sentences(text)
    local found, current, count = {}, {}, 0
    local words = {}
    for word in text:gmatch("%S+") do
        words[#words + 1] = word
    end
    for i, word in ipairs(words) do
        current[#current + 1] = word
        count = count + (is_word(word) and 1 or 0)
        local closed = word:gsub("[%)\"'”’%]]+$", "")
        if i == #words or closed:find("[.!?]$") and not closed:find("%a%.%a%.$") and
            not words[i + 1]:find("^%l") then
            if count > 0 then
                found[#found + 1] = { text = table.concat(current, " "), count = count }
            end
            current, count = {}, 0
        end
    end
    return found
end

local pages, all = {}, false
for _, word in ipairs(arg) do
    if word == "--all" then
        all = true
    else
        pages[#pages + 1] = word
    end
end
if #pages == 0 then
    local pipe <close> = assert(io.popen("ls README.md docs/*.md docs/notes/*.md"))
    for path in pipe:lines() do
        pages[#pages + 1] = path
    end
end

local failed = false
for _, page in ipairs(pages) do
    local words, count, long = 0, 0, 0
    for _, paragraph in ipairs(paragraphs(read(page))) do
        for _, sentence in ipairs(sentences(plain(paragraph.text))) do
            words, count = words + sentence.count, count + 1
            if sentence.count > LONGEST then
                print(("%s:%d: %d words: %s"):format(page, paragraph.line, sentence.count, sentence.text))
                failed, long = true, long + 1
            end
        end
    end
    local mean = count > 0 and words / count or 0
    if all then
        print(("%-28s %6d words, %5d sentences, %5.1f a sentence, %3d long"):format(page, words, count, mean, long))
    end
    if not collections[page] and not page:find("^docs/notes/") then
        if mean > MEAN then
            print(("%s: %.1f words a sentence on average, above %d"):format(page, mean, MEAN))
            failed = true
        end
        if words > WORDS then
            print(("%s: %d words, above %d"):format(page, words, WORDS))
            failed = true
        end
    end
end
os.exit(not failed)
