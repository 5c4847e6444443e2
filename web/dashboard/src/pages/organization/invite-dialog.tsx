import { useRef } from 'preact/hooks'
import { ROLES, type Role, roleHasPermission } from '../../../../../src/base/api/roles.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { openDialog } from '../../app/dialogs.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useMembership } from '../../app/session.ts'
import { showOnce } from '../../app/show-once.tsx'
import { textOf } from '../../forms/draft.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { formatDurationUntil } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'
import { ROLE_DESCRIPTIONS, ROLE_NAMES } from './role-labels.ts'

const MAX_INVITATIONS = 50

interface CreatedInvitation {
  email: string
  link: string
  expiresAt: string
  isMailed: boolean
}

export const invitePeople = () => openDialog((close) => <InviteDialog onClose={close} />)

/** The invitation links exist only in the dialogs' state and are discarded when they close. */
function InviteDialog({ onClose }: { onClose: () => void }) {
  const { role: myRole } = useMembership()
  // Invitations created so far. If a later one is rejected, these already exist and are not created again.
  const made = useRef<CreatedInvitation[]>([])
  const invite = async (emails: string, role: Role) => {
    const addresses = parseAddresses(emails).filter(
      (address) => !made.current.some(({ email }) => email === address),
    )
    try {
      for (const email of addresses.slice(0, MAX_INVITATIONS))
        made.current.push({ ...(await internal('createInvitation', { body: { email, role } })), email })
    } finally {
      void queryClient.invalidateQueries({ queryKey: internalKey('listInvitations') })
    }
    onClose()
    showLinks(made.current)
  }
  return (
    <FieldsDialog
      operation="createInvitation"
      title={t('Invite people')}
      action={(draft) =>
        parseAddresses(textOf(draft, 'email')).length > 1 ? t('Create the links') : t('Create the link')
      }
      initial={{ role: 'editor' }}
      fields={() => [
        {
          name: 'email',
          kind: 'lines',
          label: t('Email addresses'),
          help: t('One per line, up to {count}.', { count: MAX_INVITATIONS }),
          input: { required: true, autoFocus: true, rows: 2, class: 'min-h-15', maxLength: 20_000 },
        },
        {
          name: 'role',
          kind: 'radio',
          label: t('Role'),
          choices: ROLES.filter((role) => role !== 'owner' || roleHasPermission(myRole, 'owners')).map(
            (role) => ({ value: role, label: ROLE_NAMES[role], about: ROLE_DESCRIPTIONS[role] }),
          ),
        },
      ]}
      onSubmit={(_, draft) => invite(textOf(draft, 'email'), textOf(draft, 'role') as Role)}
      onClose={onClose}
    />
  )
}

function parseAddresses(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter(Boolean))]
}

/** Shows the links once, since the server stores only hashes. A lost link can be replaced by a new link. */
export function showLinks(made: readonly CreatedInvitation[]): void {
  const [first] = made
  if (first === undefined) return
  const isOne = made.length === 1
  const duration = formatDurationUntil(first.expiresAt)
  showOnce({
    title: made.every(({ isMailed }) => isMailed)
      ? plural(made.length, 'The invitation is on its way', '{count} invitations are on their way')
      : plural(made.length, 'Send this link', 'Send these {count} links'),
    about: isOne
      ? t('For {email}. The link works once and expires in {duration}.', { email: first.email, duration })
      : t('Each link is for one person, works once and expires in {duration}.', { duration }),
    done: t('Done'),
    content: (
      <>
        {isOne ? (
          <CopyField text={first.link} label={t('Invitation link')} />
        ) : (
          <CodeBlock title={t('Links')} text={made.map(({ email, link }) => `${email} ${link}`).join('\n')} />
        )}
        <p class="mt-3 text-13 text-soft">
          {describeMailedInvitations(made)} {t('Lost it? Create a new link in the list of open invitations.')}
        </p>
      </>
    ),
  })
}

function describeMailedInvitations(made: readonly CreatedInvitation[]): string {
  const unsent = made.filter(({ isMailed }) => !isMailed)
  if (unsent.length === 0)
    return plural(
      made.length,
      'The link is sent by email. You can also share it yourself.',
      'Each link is sent by email. You can also share them yourself.',
    )
  if (unsent.length === made.length)
    return plural(
      made.length,
      'This server doesn’t send email. Share the link yourself.',
      'This server doesn’t send email. Share the links yourself.',
    )
  return t('No email was sent to {addresses}. Share these links yourself.', {
    addresses: unsent.map(({ email }) => email).join(', '),
  })
}
