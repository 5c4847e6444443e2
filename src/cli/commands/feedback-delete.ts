/** `octavo feedback delete`: what a reader said, or what is old, for good. */
import { programCall } from '../../app/program-call.ts'
import { CLIENT_FLAGS, openApi, PROJECT_FLAG } from '../api-client.ts'
import { type Command, UsageError } from '../command.ts'

export const feedbackDelete: Command = {
  name: 'feedback delete',
  summary: 'Delete feedback by contact address or age for good; without --yes, count it.',
  worksOn: 'api',
  flags: {
    project: PROJECT_FLAG,
    contact: { value: 'address', help: 'Only entries with this contact address.' },
    before: { value: 'date', help: 'Only what was said before this date or moment.' },
    yes: { help: 'Delete it. Nothing brings it back.' },
    ...CLIENT_FLAGS,
  },
  async run({ flag, has, print }) {
    const [contact, before] = [flag('contact'), flag('before')]
    if (contact === undefined && before === undefined)
      throw new UsageError('Say which feedback with --contact, --before, or both.')
    const { client, project } = await openApi(flag, flag('project') as string, 'id')
    const meant = { ...(contact !== undefined && { contact }), ...(before !== undefined && { before }) }
    if (!has('yes')) {
      const { matched } = await client.deleteFeedback(project.id, { ...meant, isDryRun: true })
      print.result({ matched, deleted: 0 }, [
        `${entries(matched)} would be deleted, for good.`,
        ...(matched > 0 ? [`Delete it: the same ${programCall()} feedback delete with --yes`] : []),
      ])
      return 0
    }
    let deleted = 0
    for (let hasMore = true; hasMore; ) {
      const part = await client.deleteFeedback(project.id, meant)
      deleted += part.deleted
      hasMore = part.hasMore && part.deleted > 0
    }
    print.result({ deleted }, [`${entries(deleted)} deleted.`])
    return 0
  },
}

function entries(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}`
}
