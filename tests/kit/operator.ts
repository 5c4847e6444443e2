/** Connects to the operator API of a server in this process, as the CLI does on the server's machine. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectOperator, type OperatorApi } from '../../src/cli/api-client.ts'

export async function operatorOf({
  url,
  dataFolder,
}: {
  url: string
  dataFolder: string
}): Promise<OperatorApi> {
  const key = (await readFile(join(dataFolder, 'operator-key'), 'utf8')).trim()
  return connectOperator({ url: toLoopback(url), key, publicUrl: url, hasAddress: true })
}

export function toLoopback(url: string): string {
  return url.replace('//localhost:', '//127.0.0.1:')
}
