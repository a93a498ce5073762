-- Makes a picture of the documents small: `colours`, or 128, if pngquant is installed. Fewer leave rings on slopes and
-- colours in what is grey; all of them take three times the bytes.

return function(path, colours)
    os.execute("! command -v pngquant >/dev/null || pngquant --force --strip --nofs --speed 1 --ext .png "
        .. (colours or 128) .. " " .. path)
end
