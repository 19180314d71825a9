<?php // From a key to a verified file, with PHP 8.1 or later.
function fail(string $reason): never {
    fwrite(STDERR, "$reason\n");
    exit(1);
}
function get(string $url, array $headers = []): string {
    $http = ['header' => $headers, 'ignore_errors' => true, 'timeout' => 60];
    // A server to which the service redirects must not receive the key.
    $http['follow_location'] = $headers ? 0 : 1;
    $context = stream_context_create(['http' => $http]);
    return file_get_contents($url, context: $context) ?: fail("No response from $url");
}

// Request a video with a render config for one quality.
$api = (getenv('MILLRACE_URL') ?: 'http://127.0.0.1:8080') . '/p1/v3';
$key = getenv('MILLRACE_KEY') ?: 'demo-key';
$url = "$api/video/details?videoId=lab-plain30&renderableFormats=720p";
$details = json_decode(get($url, ["X-Marketplace-Key: $key", 'X-Marketplace-Host: localhost']));
$item = $details->contents[0]->renderableVideos[0] ?? fail($details->error->message);

// Start the render, and read its status events until it ends.
$job = json_decode(get($item->renderConfig->executionUrl ?? fail($item->error)));
$events = explode("\n", trim(get($job->sseStatusUrl ?? fail($job->error->message))));
$event = json_decode(substr(end($events), strlen('data: ')));

// Download the file, and compare its size and SHA-256 with those of the event.
$output = $event->output ?? fail("The job is $event->status: $event->error");
$file = get($output->url);
$actual = [strlen($file), hash('sha256', $file)];
if ($actual !== [$output->size, $output->sha256]) fail('The file is damaged.');
file_put_contents('video.mp4', $file);
echo "video.mp4 has the size and the SHA-256 that the service states.\n";
