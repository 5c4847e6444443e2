/** `octavo open`: opens the dashboard or a site in the browser. */

import { readClientSettings, readDataSettings } from '../../../app/config/config.ts'
import { findServer, NoServerError } from '../../../app/operator/find-server.ts'
import { resolveProgramCommand } from '../../../app/operator/program-call.ts'
import { withServer } from '../../api-client.ts'
import type { Command } from '../../command.ts'
import { openBrowser } from '../../open-browser.ts'

export const open: Command = {
  name: 'open',
  summary: 'Open the dashboard or a site of the running server in the browser, and print its URL.',
  worksOn: 'node',
  optional: ['domain or id'],
  flags: {
    print: { help: 'Only print the URL.' },
  },
  async run({ positionals, has, print }) {
    const [named] = positionals
    const url = named === undefined ? await dashboard() : await findSiteUrl(named)
    print.result({ url }, [url])
    if (!has('print') && !print.isJson && !(await openBrowser(url)))
      print.note('No browser could be opened. Open the URL yourself.')
    return 0
  },
}

async function dashboard(): Promise<string> {
  const { url } = readClientSettings({ url: undefined, key: undefined })
  if (url !== null) return url
  const server = await findServer(readDataSettings().given)
  if (server === null) throw noServerError()
  return server.publicUrl
}

function noServerError(): NoServerError {
  return new NoServerError(
    `No server is running here. Start one with ${resolveProgramCommand()} start, or set OCTAVO_URL.`,
  )
}

function findSiteUrl(named: string): Promise<string> {
  return withServer(async ({ publicUrl, findProject }) => {
    const { url } = await findProject(named)
    if (publicUrl === null || url === null) throw noServerError()
    return url
  })
}
