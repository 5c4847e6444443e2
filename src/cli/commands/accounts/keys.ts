/** `octavo keys`: API keys. */
import { resolveProgramCommand } from '../../../app/operator/program-call.ts'
import { KEY_KINDS, type KeyKind } from '../../../base/api/operation.ts'
import { splitList } from '../../../base/text/split-list.ts'
import type { ApiKey, CreateApiKeyBody } from '../../../features/accounts/operations/organization.ts'
import { ORG_FLAG, withErrorMessages, withOrganization, withServer } from '../../api-client.ts'
import { type Command, UsageError } from '../../command.ts'

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'Create an API key, which is shown only once.',
  worksOn: 'data',
  flags: {
    name: { value: 'text', help: 'Name that describes the purpose of the key.', isRequired: true },
    kind: {
      value: 'kind',
      help: 'admin (default), or assistant, which can only read the public text of one project and has no scopes.',
    },
    scopes: { value: 'list', help: 'read, write, or read,write (default).' },
    expires: {
      value: 'days',
      help: "7d, 30d, 60d, 90d (default) or never, within the organization's limit.",
    },
    allow: {
      value: 'list',
      help: 'IP addresses and CIDR ranges that can use the key, separated by commas. Default: any.',
    },
    projects: {
      value: 'list',
      help: 'IDs of the projects that the key can access, separated by commas. Default: all.',
    },
    org: ORG_FLAG,
  },
  async run({ flag, print }) {
    const list = (name: string) => (flag(name) === undefined ? undefined : splitList(flag(name)))
    const [scopes, allowList, projectIds] = [list('scopes'), list('allow'), list('projects')]
    const expires = flag('expires')
    const body: CreateApiKeyBody = {
      name: flag('name') as string,
      kind: readKind(flag('kind')),
      ...(expires === undefined ? {} : { expiresInDays: readLifetime(expires) }),
      ...(scopes === undefined ? {} : { scopes: scopes as ('read' | 'write')[] }),
      ...(allowList === undefined ? {} : { allowList }),
      ...(projectIds === undefined ? {} : { projectIds }),
    }
    const { key, text } = await withOrganization(flag('org'), ({ call }) => call('createApiKey', { body }))
    print.result({ id: key.id, key: text }, [text])
    print.note(`${key.id}: save the key now. It is not shown again.`)
    return 0
  },
}

export const keysList: Command = {
  name: 'keys list',
  summary: 'List the API keys of an organization.',
  worksOn: 'data',
  flags: { org: ORG_FLAG },
  async run({ flag, print }) {
    const { keys } = await withOrganization(flag('org'), ({ call }) => call('listApiKeys'))
    const rows = keys.map((key) => [
      key.id,
      key.name,
      `…${key.lastFour}`,
      key.kind === 'assistant' ? 'assistant' : key.scopes.join(','),
      key.projects === null ? 'all' : key.projects.map(({ id, name }) => name ?? id).join(', '),
      formatExpiry(key),
      key.lastUsedAt ?? 'never used',
    ])
    print.list(
      keys,
      ['ID', 'NAME', 'KEY', 'ACCESS', 'PROJECTS', 'EXPIRES', 'LAST USE'],
      rows,
      `There is no key yet. Create one: ${resolveProgramCommand()} keys create --name mine`,
    )
    return 0
  },
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key immediately on all servers.',
  worksOn: 'data',
  positionals: ['id'],
  flags: {},
  async run({ positionals, print }) {
    const keyId = positionals[0] as string
    const key = await withServer(({ call }) =>
      withErrorMessages(call('revokeApiKey', { params: { keyId } }), {
        not_found: `There is no key ${keyId}.`,
      }),
    )
    print.result({ id: key.id, revokedAt: key.revokedAt }, [`${key.id} (${key.name}) is revoked.`])
    return 0
  },
}

function readKind(text = 'admin'): KeyKind {
  const kind = KEY_KINDS.find((one) => one === text)
  if (kind === undefined) throw new UsageError(`--kind must be ${KEY_KINDS.join(' or ')}.`)
  return kind
}

function readLifetime(text: string): 7 | 30 | 60 | 90 | null {
  if (text === 'never' || text === 'none') return null
  const days = /^(\d{1,4})d?$/.exec(text)?.[1]
  if (days === undefined) throw new UsageError('--expires must be 7d, 30d, 60d, 90d or never.')
  return Number(days) as 7
}

function formatExpiry({ state, expiresAt }: ApiKey): string {
  return state === 'valid' ? (expiresAt?.slice(0, 10) ?? 'never') : state
}
