// From a key to a verified file, with Go 1.18 or later.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
)

// Each response has some of these members.
type response struct {
	Error                                           any
	Contents                                        []struct{ RenderableVideos []response }
	RenderConfig, Output                            *response
	ExecutionURL, SSEStatusURL, Status, URL, SHA256 string
	Size                                            int
}

func check[Value any](value Value, err any) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func get(url string, header http.Header) []byte {
	request := check(http.NewRequest("GET", url, nil))
	request.Header = header
	send := http.DefaultClient.Do
	if header != nil {
		// Follows no redirect: another server must not receive the key.
		send = http.DefaultTransport.RoundTrip
	}
	return check(io.ReadAll(check(send(request)).Body))
}

func parse(text []byte) (result response) {
	check(text, json.Unmarshal(text, &result))
	return check(result, result.Error)
}

func env(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}

func main() {
	// Request a video with a render config for one quality.
	api, key := env("MILLRACE_URL", "http://127.0.0.1:8080"), env("MILLRACE_KEY", "demo-key")
	url := api + "/p1/v3/video/details?videoId=lab-plain30&renderableFormats=720p"
	header := http.Header{"X-Marketplace-Key": {key}, "X-Marketplace-Host": {"localhost"}}
	item := parse(get(url, header)).Contents[0].RenderableVideos[0]

	// Start the render, and read its status events until it ends.
	job := parse(get(check(item, item.Error).RenderConfig.ExecutionURL, nil))
	events := bytes.Split(bytes.TrimSpace(get(job.SSEStatusURL, nil)), []byte("\n"))
	job = parse(bytes.TrimPrefix(events[len(events)-1], []byte("data: ")))
	if job.Output == nil {
		log.Fatalf("The status stream ended early. The job is %s.", job.Status)
	}

	// Download the file, and compare its size and SHA-256 with those of the event.
	file := get(job.Output.URL, nil)
	if len(file) != job.Output.Size || fmt.Sprintf("%x", sha256.Sum256(file)) != job.Output.SHA256 {
		log.Fatal("The file is damaged.")
	}
	check(file, os.WriteFile("video.mp4", file, 0o644))
	fmt.Println("video.mp4 has the size and the SHA-256 that the service states.")
}
