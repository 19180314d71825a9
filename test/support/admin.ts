import { type Contract, readContract } from './contract.ts';
import { freePort } from './free-port.ts';
import { fetchJson, type JsonResponse } from './http-client.ts';
import { type RunningProcess, startService } from './processes.ts';

const token = 'token-of-the-admin-tests';

/** A key, as the admin API returns it. */
export interface AdminKey {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly plan: string;
  readonly limits: Record<string, number>;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  readonly expiresAt: string | null;
  readonly disabledAt: string | null;
}

/** Usage of a month. */
export interface MonthUsage {
  readonly month: string;
  readonly credits: number;
  readonly requests: number;
}

/** A service with an open admin API. */
export interface ServiceWithAdmin {
  readonly service: RunningProcess;
  /** Settings with which the command line finds the service. */
  readonly settings: { readonly ADMIN_PORT: string; readonly ADMIN_TOKEN: string };
  /**
   * Sends a request to the admin API, by default with the right token, and checks the response against its document.
   */
  admin<Body>(method: string, path: string, body?: unknown, adminToken?: string): Promise<JsonResponse<Body>>;
  /** Creates a key. */
  create(plan: string, kind?: string): Promise<AdminKey & { readonly key: string }>;
  /** Returns the credits that a key has used this month. */
  credits(id: string): Promise<number>;
}

/** Starts a separate service whose plans have their default limits, except for some changes. */
export async function startServiceWithAdmin(
  labUrl: string,
  dataDirectory: string,
  limits: Record<string, Record<string, number>> = {},
  more: Record<string, string> = {},
): Promise<ServiceWithAdmin> {
  const settings = { ADMIN_PORT: String(await freePort()), ADMIN_TOKEN: token };
  const PLAN_LIMITS = JSON.stringify(limits);
  const service = await startService(labUrl, dataDirectory, { ...settings, PLAN_LIMITS, ...more });
  const origin = `http://127.0.0.1:${settings.ADMIN_PORT}`;
  let pendingContract: Promise<Contract | undefined> | undefined;
  const contract = () => {
    pendingContract ??= readContract(origin, '/admin/openapi', { authorization: `Bearer ${token}` });
    return pendingContract;
  };
  const admin = async <Body>(method: string, path: string, body?: unknown, adminToken = token) => {
    const response = await fetchJson<Body>(`${origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        'x-millrace-actor': 'the tests',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status, headers } = response;
    const documented = (await contract())?.check({
      method,
      url: path,
      status,
      contentType: headers.get('content-type'),
      body: response.body,
    });
    if (documented !== true) throw new Error(`${method} ${path} is not in the document of the admin API`);
    return response;
  };
  return {
    service,
    settings,
    admin,
    async create(plan, kind = 'extraction') {
      return (await admin<AdminKey & { key: string }>('POST', '/admin/keys', { plan, kind })).body;
    },
    async credits(id) {
      const { body } = await admin<{ usage: MonthUsage[] }>('GET', `/admin/keys/${id}`);
      return body.usage[0]?.credits ?? 0;
    },
  };
}
