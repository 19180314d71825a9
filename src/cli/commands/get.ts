import { defineCommand } from '../command-line/command.ts';
import { resolveDestination } from '../get/destination.ts';
import type { GetContext } from '../get/get-context.ts';
import { getMany } from '../get/get-many.ts';
import { getOne } from '../get/get-one.ts';
import { checkGetOptions, getOptions, isForProgram } from '../get/get-options.ts';
import { listQualities } from '../get/list-qualities.ts';
import { createNames } from '../get/names.ts';
import { replacements } from '../get/replacements.ts';
import { checkReceiptOption } from '../get/save-receipt.ts';
import { hasSeveralItems, readTargets } from '../get/targets.ts';
import { createBatchReporter } from '../reporting/batch-reporter.ts';
import { createReporter } from '../reporting/reporter.ts';
import { openSession } from '../service/session.ts';

/** `millrace get`. */
export const getCommand = defineCommand({
  name: 'get',
  summary: 'Download videos, audio and images as files.',
  usage: ['<link|id>…', '--batch-file <file>'],
  arity: [0, 1_000],
  options: getOptions,
  replacements,
  usesConfig: true,
  details: `A playlist, channel, search, profile or list of links becomes a file for each item. A failure does not stop the
others. An incomplete download is stored as name.part; run the same command again to resume. Existing files are only
overwritten with --force. The command prints the paths of the files.

  millrace get 'https://www.youtube.com/watch?v=…' --quality 720p
  millrace get 'https://www.youtube.com/watch?v=…' --audio mp3
  millrace get 'https://www.youtube.com/watch?v=…' --quality 1080p --clip 1:00-1:30 --subtitles en
  millrace get 'https://www.youtube.com/watch?v=…' --max-size 8MB
  millrace get 'https://www.youtube.com/playlist?list=…' --items 1-10,-3: --output films/
  millrace get 'https://www.youtube.com/@…' --archive seen.txt --output channel/
  millrace get 'search5:steam locomotives' --dry-run
  millrace get --batch-file links.txt --concurrent 4
  millrace get 'https://www.tiktok.com/@…/photo/…' --slideshow
  millrace get 'https://www.instagram.com/p/…' --output images/
  millrace get '…' --quality audio --output - | ffplay -`,
  async run(invocation) {
    const { values, terminal, signal } = invocation;
    const options = await checkGetOptions(invocation);
    const targets = await readTargets(invocation, options.shape);
    const destination = await resolveDestination(values.output);
    const reporter = createReporter(terminal, values);
    const session = await openSession(invocation, 'extraction', {
      renders: true,
      onStart: () => reporter.step({ stage: 'starting' }),
    });
    try {
      if (values.receipt === true) checkReceiptOption(values.output, session);
      const { shape, items, limits } = options;
      const isMany = hasSeveralItems(targets, values);
      const context: GetContext = {
        ...{ values, shape, items, session, reporter, terminal, signal, destination, ...limits },
        names: createNames(),
        keepsExisting: isMany,
        prompts: !isMany && terminal.interactive && !isForProgram(values),
      };
      const [target] = targets;
      if (values.list === true) {
        for (const listed of targets) {
          if ('error' in listed) throw listed.error;
          await listQualities(listed.link, context);
        }
        return 0;
      }
      if (!isMany && target !== undefined && 'link' in target) {
        await getOne({ link: target.link, name: target.text, number: 1 }, context, reporter);
        return 0;
      }
      reporter.close();
      return await getMany(targets, options, context, createBatchReporter(terminal, values));
    } finally {
      reporter.close();
      await session.close();
      await destination.tidy();
    }
  },
});
