/** The client of commands that drive the API, and the flags by which it finds it. */
import { readClientSettings } from '../app/config.ts'
import { createClient, type OctavoClient } from '../client/client.ts'
import { type CommandInput, type Flag, UsageError } from './command.ts'

export const CLIENT_FLAGS = {
  url: { value: 'address', help: 'Address of the API. Left out: OCTAVO_URL, else http://localhost:4000.' },
  key: {
    value: 'key',
    help: 'Admin API key. Better: OCTAVO_KEY in the environment, which no process list shows.',
  },
} as const satisfies Record<string, Flag>

/** Throws UsageError without a key. */
export function clientOf(flag: CommandInput['flag']): OctavoClient {
  const { url, key } = readClientSettings({ url: flag('url'), key: flag('key') })
  if (key === null) throw new UsageError('An admin API key is needed: set OCTAVO_KEY.')
  return createClient({ baseUrl: url, apiKey: key })
}
