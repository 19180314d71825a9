import type { Command } from './command-line/command.ts';
import { adminCommand } from './commands/admin.ts';
import { backupCommand } from './commands/backup.ts';
import { cancelCommand } from './commands/cancel.ts';
import { completionsCommand } from './commands/completions.ts';
import { doctorCommand } from './commands/doctor.ts';
import { getCommand } from './commands/get.ts';
import { infoCommand } from './commands/info.ts';
import { keysCommand } from './commands/keys.ts';
import { labCommand } from './commands/lab.ts';
import { mcpCommand } from './commands/mcp.ts';
import { probeCommand } from './commands/probe.ts';
import { renderCommand } from './commands/render.ts';
import { restoreCommand } from './commands/restore.ts';
import { searchCommand } from './commands/search.ts';
import { serveCommand } from './commands/serve.ts';
import { transcriptCommand } from './commands/transcript.ts';
import { verifyCommand } from './commands/verify.ts';
import { watchCommand } from './commands/watch.ts';

/** Every command, in the order of help. */
export const commands: readonly Command[] = [
  getCommand,
  infoCommand,
  searchCommand,
  transcriptCommand,
  renderCommand,
  watchCommand,
  cancelCommand,
  verifyCommand,
  mcpCommand,
  serveCommand,
  doctorCommand,
  probeCommand,
  keysCommand,
  adminCommand,
  backupCommand,
  restoreCommand,
  labCommand,
  completionsCommand(() => commands),
];
