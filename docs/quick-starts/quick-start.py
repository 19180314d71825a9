# From a key to a verified file, with Python 3.8 or later.
import hashlib, json, os, sys
from urllib import error, request

def get(url):
    try:
        return request.urlopen(url, timeout=60).read()
    except error.HTTPError as response:
        sys.exit(response.read().decode())

# Request a video with a render config for one quality.
url = os.environ.get("MILLRACE_URL", "http://127.0.0.1:8080")
url += "/p1/v3/video/details?videoId=lab-plain30&renderableFormats=720p"
call = request.Request(url, headers={"X-Marketplace-Host": "localhost"})
# A server to which the service redirects must not receive the key.
call.add_unredirected_header("X-Marketplace-Key", os.environ.get("MILLRACE_KEY", "demo-key"))
details = json.loads(get(call))
item = details["contents"][0]["renderableVideos"][0] if details["contents"] else details
if item.get("error"):
    sys.exit(str(item["error"]))

# Start the render, and read its status events until it ends.
job = json.loads(get(item["renderConfig"]["executionUrl"]))
event = json.loads(get(job["sseStatusUrl"]).strip().split(b"\n")[-1][len("data: "):])
if event["status"] != "done":
    sys.exit(f"The job is {event['status']}: {event['error']}")

# Download the file, and compare its size and SHA-256 with those of the event.
output = event["output"]
file = get(output["url"])
if (len(file), hashlib.sha256(file).hexdigest()) != (output["size"], output["sha256"]):
    sys.exit("The file is damaged.")
open("video.mp4", "wb").write(file)
print("video.mp4 has the size and the SHA-256 that the service states.")
