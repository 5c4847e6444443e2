/** Tasks with nothing to do: good work leaves the site unchanged and explains why. */
import { tells, unchanged } from '../expectations.ts'
import { finish, read, search, turns } from '../recording.ts'
import { KEEPSAKE, STARTER, type Task } from '../task.ts'

const alone = { mayChange: [], mostLines: 0 }

export const NOTHINGS: readonly Task[] = [
  {
    id: 'nothing-no-typo',
    kind: 'nothing to do',
    site: KEEPSAKE,
    prompt: 'The quickstart has a typo: it says "snapshto" somewhere. Mend it.',
    expects: [unchanged(), tells(/snapshto|typo/i)],
    ...alone,
    recording: turns(
      [search('snapshto'), read('quickstart.mdx')],
      [finish('No typo in the quickstart', 'No page says "snapshto".')],
    ),
  },
  {
    id: 'nothing-linked-already',
    kind: 'nothing to do',
    site: KEEPSAKE,
    prompt: 'Make sure that the restore guide leads to the page with all commands at its end.',
    expects: [unchanged(), tells(/already|commands/i)],
    ...alone,
    recording: turns(
      [read('guides/restore.mdx')],
      [finish('The guide leads there already', 'It ends with a link to all commands.')],
    ),
  },
  {
    id: 'nothing-described',
    kind: 'nothing to do',
    site: STARTER,
    prompt: 'Some pages may lack a description. Write one where it is missing; leave those that are there.',
    expects: [unchanged(), tells(/description/i)],
    ...alone,
    recording: turns(
      [search('description:')],
      [finish('Every page has a description', 'All five pages have a description in their frontmatter.')],
    ),
  },
  {
    id: 'nothing-word',
    kind: 'nothing to do',
    site: KEEPSAKE,
    prompt: 'We do not want the word "simply". Take it out wherever it stands.',
    expects: [unchanged(), tells(/simply/i)],
    ...alone,
    recording: turns(
      [search('simply')],
      [finish('No page says simply', 'The word "simply" stands nowhere.')],
    ),
  },
  {
    id: 'nothing-unknown-page',
    kind: 'nothing to do',
    site: STARTER,
    prompt: 'Correct the price on the pricing page: it is 12 dollars now.',
    expects: [unchanged(), tells(/pric/i)],
    ...alone,
    recording: turns(
      [search('price'), search('pricing')],
      [finish('There is no pricing page', 'No page speaks of a price, so nothing was changed.')],
    ),
  },
]
