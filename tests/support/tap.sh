# For shell tests, which source this file: results as TAP. A script that defines `reason` says there what it saw.
count=0
reason() { :; }
check() { # check NAME STATUS
    count=$((count + 1))
    if [ "$2" = 0 ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        reason | sed 's/^/# /'
    fi
}
