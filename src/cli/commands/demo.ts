/** `octavo demo`: data for demonstrations and measurements. */
import { chooseProject, mainDomain } from '../../app/operator/administration.ts'
import { addDemoFeedback } from '../../app/operator/demo-feedback.ts'
import { type Command, UsageError } from '../command.ts'
import { countBar, createProgressLine } from '../progress-line.ts'
import { withContext } from '../with-database.ts'

export const demoFeedback: Command = {
  name: 'demo feedback',
  summary:
    'Write invented feedback on the pages of a published site, as readers would. Webhooks are told of it.',
  worksOn: 'data',
  flags: {
    count: { value: 'number', help: 'How many entries, 1 to 1000000.', isRequired: true },
    domain: {
      value: 'domain or id',
      help: 'The site: a domain of its project, or the id; docs.localhost when left out.',
    },
    spread: {
      value: 'days',
      help: 'Moves the times of the new entries over so many days before now, 1 to 3650, straight in the database: for demonstrations. Left out: they are all of now.',
    },
  },
  async run({ flag, print }) {
    const count = readNumber('count', flag('count') as string, 1_000_000)
    const spread = flag('spread')
    const spreadDays = spread === undefined ? null : readNumber('spread', spread, 3650)
    const line = createProgressLine()
    const named = flag('domain')
    const done = await withContext(async (context) => {
      const domain = named === undefined ? undefined : mainDomain(await chooseProject(context, named))
      return await addDemoFeedback(context, { count, domain, spreadDays }, (entries) =>
        line.update(countBar(entries, count, 'entries')),
      )
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
