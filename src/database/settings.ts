import { parseUrl } from '../contract/parse-url.ts';
import { setting } from '../settings/setting.ts';

/** Settings of the database. */
export const databaseSettings = {
  DATABASE_URL: setting({
    description: 'PostgreSQL database shared by all nodes: postgresql://user:password@host/name.',
    default: 'an embedded database in DATA_DIR',
    fallback: () => undefined,
    read: databaseUrl,
  }),
  DATABASE_LISTEN_URL: setting({
    description: 'Direct address of the same database for notifications, if DATABASE_URL is the address of a pooler.',
    default: 'DATABASE_URL',
    fallback: () => undefined,
    read: databaseUrl,
  }),
};

function databaseUrl(text: string): string {
  if (!/^postgres(?:ql)?:$/.test(parseUrl(text)?.protocol ?? '')) throw new Error('must begin with postgresql://');
  return text;
}
