/** `octavo open`: opens the dashboard or a site in the browser. */

import { readClientSettings, readDataSettings } from '../../../app/config/config.ts'
import { chooseProject, mainDomain } from '../../../app/operator/administration.ts'
import { findServer, NoServerError } from '../../../app/operator/find-server.ts'
import { programCall } from '../../../app/operator/program-call.ts'
import { sampleSiteUrl } from '../../../app/operator/sample-site.ts'
import type { Command } from '../../command.ts'
import { openBrowser } from '../../open-browser.ts'
import { withDatabase } from '../../with-database.ts'

export const open: Command = {
  name: 'open',
  summary:
    'Open the dashboard of the running server in the browser, or one of its sites, and print the address.',
  worksOn: 'node',
  optional: ['domain or id'],
  flags: {
    print: { help: 'Only print the address.' },
  },
  async run({ positionals, has, print }) {
    const [named] = positionals
    const url = named === undefined ? await dashboard() : await findSiteUrl(named)
    print.result({ url }, [url])
    if (!has('print') && !print.isJson && !(await openBrowser(url)))
      print.note('There is no browser to open here: paste the address into one.')
    return 0
  },
}

async function dashboard(): Promise<string> {
  const { url } = readClientSettings({ url: undefined, key: undefined })
  if (url !== null) return url
  const server = await findServer(readDataSettings().given)
  if (server === null) throw noServer()
  return server.publicUrl
}

function noServer(): NoServerError {
  return new NoServerError(`No server runs here. Start one: ${programCall()} start. Or set OCTAVO_URL.`)
}

function findSiteUrl(named: string): Promise<string> {
  return withDatabase(async (context) => {
    const project = await chooseProject(context, named)
    const own = project.domains.find((domain) => domain === named.toLowerCase()) ?? mainDomain(project)
    const { publicUrl } = context.config
    if (publicUrl === null) throw noServer()
    return sampleSiteUrl({ publicUrl: () => publicUrl }, own)
  })
}
