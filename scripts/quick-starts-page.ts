import { readFile } from 'node:fs/promises';

/** The languages of the quick starts: their programs in `docs/quick-starts/`, and how to run them. */
const languages = [
  { name: 'curl', file: 'quick-start.sh', fence: 'bash', run: 'bash', needs: '`curl`, `jq` and `sha256sum`' },
  { name: 'JavaScript', file: 'quick-start.mjs', fence: 'js', run: 'node', needs: 'Node 20 or later' },
  { name: 'Python', file: 'quick-start.py', fence: 'python', run: 'python3', needs: 'Python 3.8 or later' },
  { name: 'Go', file: 'quick-start.go', fence: 'go', run: 'go run', needs: 'Go 1.18 or later' },
  { name: 'PHP', file: 'quick-start.php', fence: 'php', run: 'php', needs: 'PHP 8.1 or later' },
] as const;

/** Returns the page that shows the quick starts, generated from their programs. */
export async function quickStartsPage(root: URL): Promise<string> {
  const sections = languages.map(async ({ name, file, fence, run, needs }) => {
    const code = await readFile(new URL(`docs/quick-starts/${file}`, root), 'utf8');
    return `## ${name}

[${file}](${file}) needs ${needs}:

    ${run} docs/quick-starts/${file}

\`\`\`${fence}
${code}\`\`\`
`;
  });
  return `<!-- Made by "npm run docs" from the programs beside it. -->

# Quick starts

Each of these programs goes from a key to a verified file, with the standard library of its language. They are for
developers who call a Millrace service, and take less than five minutes.

## Prepare

To try a program offline, start the demo service in one terminal, in the project folder, and leave it running:

    npm ci
    npm run demo -- --stay

Then run a program in a second terminal, in the same folder. The programs use the address and the key of the demo
service. To use another service, set its address and your key first:

    export MILLRACE_URL=https://millrace.example MILLRACE_KEY=your-key

With a [test key](../reference/test-mode.md), the programs run unchanged and free of charge. With any other key, replace
\`lab-plain30\` in the program with the ID of a public video. If the service is behind a marketplace, replace
\`localhost\` with the host that the marketplace displays.

## What the programs do

1. Request the details of a video with your key. \`renderableFormats=720p\` adds a render config for one quality.
2. Start the render with the \`executionUrl\` of the render config. This URL, and all later ones, need no key.
3. Read the status events of the job until they end. The last event has the status \`done\` or \`failed\`.
4. Download the file, and compare its size and SHA-256 with those in the last event.
5. Save the file as \`video.mp4\` in the current folder.

If a step fails, the program prints the reason and ends with a nonzero exit code.

To prove later where the file came from, keep its signed receipt ([Verify a file](../how-to/verify-a-file.md)). The
programs do not retry, and all except the first hold the file in memory.
For JavaScript, the [client library](../how-to/use-the-client.md) retries, reconnects and resumes downloads.

${(await Promise.all(sections)).join('\n')}
## Next steps

- Import the [collection](../collection/millrace.postman_collection.json) into Postman, Bruno or Insomnia: every request
  of the API, with examples.
- [Request other media](../reference/extraction-api.md): all endpoints and the options that they share.
- [Render files from your own links](../tutorials/first-job.md), with a render key.
- [Handle errors](../reference/errors.md): every code, and whether a retry can succeed.
- [Receive a webhook](../how-to/receive-webhooks.md) when a job ends.
`;
}
