#!/usr/bin/env node
import { ConfigError, readConfig } from '../config.ts';
import { AdminError, openAdminClient } from './admin-client.ts';
import { keysCommand } from './keys.ts';
import { UsageError } from './usage-error.ts';

const usage = `Usage: millrace keys create --plan BASIC|PRO|ULTRA|MEGA [--kind extraction|render] [--name <text>]
       millrace keys list
       millrace keys rotate <id> [--grace <seconds>]
       millrace keys revoke <id>

With --json the answer of the admin API is printed as it is. The service must run with ADMIN_PORT and ADMIN_TOKEN, and
this command must find the same two in its environment or in a .env file.
`;

/** The command line: asks the admin API of a running service. */
async function main([group, ...rest]: readonly string[]): Promise<void> {
  if (group === undefined || group === 'help' || group === '--help') {
    process.stdout.write(usage);
    return;
  }
  if (group !== 'keys') throw new UsageError(`There is no command ${group}.`);
  process.stdout.write(await keysCommand(rest, () => openAdminClient(readConfig())));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${usage}`);
  else if (error instanceof AdminError || error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
