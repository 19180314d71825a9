#!/usr/bin/env bash
# From a key to a verified file, with curl, jq and sha256sum.
set -euo pipefail
api=${MILLRACE_URL:-http://127.0.0.1:8080}/p1/v3

# Request a video with a render config for one quality.
execution_url=$(curl -sS "$api/video/details?videoId=lab-plain30&renderableFormats=720p" \
  -H "X-Marketplace-Key: ${MILLRACE_KEY:-demo-key}" -H 'X-Marketplace-Host: localhost' |
  jq -er 'if .error then error(.error.message) else .contents[0].renderableVideos[0] end
    | .renderConfig.executionUrl // error(.error)')

# Start the render, and read its status events until it ends.
events_url=$(curl -sS "$execution_url" | jq -er '.sseStatusUrl // error(.error.message)')
output=$(curl -sSN "$events_url" | sed -n 's/^data: //p' | tail -n 1 |
  jq -er 'if .status == "done" then .output else error("The job is \(.status): \(.error)") end')

# Download the file, and compare its size and SHA-256 with those of the event.
curl -sSf "$(jq -r .url <<<"$output")" --output video.mp4.part
stated=$(jq -r '"\(.size) \(.sha256)  -"' <<<"$output")
actual="$(($(wc -c <video.mp4.part))) $(sha256sum <video.mp4.part)"
[[ $actual == "$stated" ]] || { echo 'The file is damaged.' >&2; exit 1; }
mv video.mp4.part video.mp4
echo 'video.mp4 has the size and the SHA-256 that the service states.'
