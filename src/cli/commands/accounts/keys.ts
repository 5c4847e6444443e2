/** `octavo keys`: API keys. */

import { addKey, chooseOrganization, listKeys, revokeKey } from '../../../app/operator/administration.ts'
import { programCall } from '../../../app/operator/program-call.ts'
import { KEY_KINDS, type KeyKind } from '../../../base/api/operation.ts'
import { type Command, UsageError } from '../../command.ts'
import { table } from '../../table.ts'
import { withDatabase } from '../../with-database.ts'

const ORG = { value: 'id', help: 'Organization; the only one there is when left out.' }

export const keysCreate: Command = {
  name: 'keys create',
  summary: 'Make an API key. Its text is shown once.',
  worksOn: 'data',
  flags: {
    name: { value: 'text', help: 'What it is for.', isRequired: true },
    kind: {
      value: 'kind',
      help: 'admin (default), or assistant: for the public text of one project, without scopes.',
    },
    scopes: { value: 'list', help: 'read, write, or read,write (default).' },
    expires: {
      value: 'days',
      help: '7d, 30d, 60d, 90d (default) or never; at most what the organization allows.',
    },
    allow: {
      value: 'list',
      help: 'Addresses and CIDR ranges that may use it, separated by commas; any when left out.',
    },
    projects: {
      value: 'list',
      help: 'Ids of the only projects that it may be used for, separated by commas; all when left out.',
    },
    org: ORG,
  },
  async run({ flag, print }) {
    const scopes = splitList(flag('scopes'))
    const allowList = splitList(flag('allow'))
    const projectIds = splitList(flag('projects'))
    const expires = flag('expires')
    const request = {
      name: flag('name') as string,
      kind: readKind(flag('kind')),
      ...(expires === undefined ? {} : { expiresInDays: readLifetime(expires) }),
      ...(scopes === undefined ? {} : { scopes }),
      ...(allowList === undefined ? {} : { allowList }),
      ...(projectIds === undefined ? {} : { projectIds }),
    }
    const { key, text } = await withDatabase(async (context) => {
      const organization = await chooseOrganization(context, flag('org'))
      return addKey(context, { ...request, organizationId: organization.id })
    })
    print.result({ id: key.id, key: text }, [text])
    print.note(`${key.id}: keep the key now, it is not shown again.`)
    return 0
  },
}

export const keysList: Command = {
  name: 'keys list',
  summary: 'List the API keys of an organization.',
  worksOn: 'data',
  flags: { org: ORG },
  async run({ flag, print }) {
    const keys = await withDatabase(async (context) => {
      const organization = await chooseOrganization(context, flag('org'))
      return listKeys(context, organization.id)
    })
    const rows = keys.map((key) => [
      key.id,
      key.name,
      `…${key.lastFour}`,
      key.kind === 'assistant' ? 'assistant' : key.scopes.join(','),
      key.projects === null ? 'all' : key.projects.map(({ id, name }) => name ?? id).join(', '),
      key.revokedAt ? 'revoked' : formatExpiry(key.expiresAt),
      key.lastUsedAt?.toISOString() ?? 'never used',
    ])
    print.result(
      keys,
      rows.length === 0
        ? [`There is no key yet. Make one: ${programCall()} keys create --name mine`]
        : table([['ID', 'NAME', 'KEY', 'ACCESS', 'PROJECTS', 'EXPIRES', 'LAST USE'], ...rows]),
    )
    return 0
  },
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  summary: 'Revoke an API key; takes effect at once on every server.',
  worksOn: 'data',
  positionals: ['id'],
  flags: {},
  async run({ positionals, print }) {
    const key = await withDatabase((context) => revokeKey(context, positionals[0] as string))
    print.result({ id: key.id, revokedAt: key.revokedAt }, [`${key.id} (${key.name}) is revoked.`])
    return 0
  },
}

function readKind(text = 'admin'): KeyKind {
  const kind = KEY_KINDS.find((one) => one === text)
  if (kind === undefined) throw new UsageError(`--kind must be ${KEY_KINDS.join(' or ')}.`)
  return kind
}

function readLifetime(text: string): number | null {
  if (text === 'never' || text === 'none') return null
  const days = /^(\d{1,4})d?$/.exec(text)?.[1]
  if (days === undefined) throw new UsageError('--expires must be 7d, 30d, 60d, 90d or never.')
  return Number(days)
}

function splitList(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function formatExpiry(at: Date | null): string {
  if (at === null) return 'never'
  return at.getTime() < Date.now() ? 'expired' : at.toISOString().slice(0, 10)
}
