/** `octavo demo feedback`: invented feedback for demonstrations and measurements. */
import { resolveProgramCommand } from '../../app/operator/program-call.ts'
import { SAMPLE_DOMAIN } from '../../base/api/form-choices.ts'
import { DEMO_BATCH_SIZE } from '../../features/reader/operations/demo-feedback.ts'
import { mainDomain, withErrorMessages, withServer } from '../api-client.ts'
import { type Command, UsageError } from '../command.ts'
import { createProgressLine, formatCountBar } from '../progress-line.ts'

export const demoFeedback: Command = {
  name: 'demo feedback',
  summary: 'Add invented reader feedback to the pages of a published site. Webhooks are notified.',
  worksOn: 'data',
  flags: {
    count: { value: 'number', help: 'Number of entries, 1 to 1000000.', isRequired: true },
    domain: {
      value: 'domain or id',
      help: "Site: a domain of its project, or the project's ID. Default: docs.localhost.",
    },
    spread: {
      value: 'days',
      help: 'Spread the new entries over this many past days, 1 to 3650, by changing their times in the database. Default: now.',
    },
  },
  async run({ flag, print }) {
    const count = readNumber('count', flag('count') as string, 1_000_000)
    const spread = flag('spread')
    const spreadDays = spread === undefined ? null : readNumber('spread', spread, 3650)
    const line = createProgressLine()
    const done = await withServer(async ({ call, findProject }) => {
      const project = await findProject(flag('domain') ?? SAMPLE_DOMAIN)
      const [params, domain] = [{ projectId: project.id }, mainDomain(project)]
      let pages = 0
      for (let written = 0; written < count; ) {
        const body = { count: Math.min(DEMO_BATCH_SIZE, count - written), ...(spreadDays && { spreadDays }) }
        const added = await withErrorMessages(call('addDemoFeedback', { params, body }), {
          not_found: `The site ${domain} is not published. Publish it: ${resolveProgramCommand()} projects sync ${domain}`,
        })
        written += added.count
        pages = added.pages
        line.update(formatCountBar(written, count, 'entries'))
      }
      return { projectId: project.id, domain, count, pages }
    }).finally(() => line.end())
    print.result(done, [`${done.count} entries on ${done.pages} pages of ${done.domain}.`])
    return 0
  },
}

function readNumber(name: string, text: string, max: number): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > max) throw new UsageError(`--${name} must be a whole number from 1 to ${max}.`)
  return number
}
