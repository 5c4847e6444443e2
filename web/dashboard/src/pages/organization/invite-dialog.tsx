import { useState } from 'preact/hooks'
import { ROLES, type Role, roleHasPermission } from '../../../../../src/base/api/roles.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { useMembership } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { RadioGroup } from '../../ui/choice.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldSet } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextareaField } from '../../ui/text-field.tsx'
import { formatDurationUntil } from '../../ui/time.tsx'
import { plural, t } from '../../words/words.ts'
import { ROLE_DESCRIPTIONS, ROLE_NAMES } from './role-labels.ts'

const FIELDS = ['email', 'role'] as const
/** Maximum addresses per invitation. */
const MAX_INVITED = 50

interface CreatedInvitation {
  email: string
  link: string
  expiresAt: string
  isMailed: boolean
}

/** Invites members. The links exist only in this component's state and are discarded when it closes. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { role: myRole } = useMembership()
  const [emails, setEmails] = useState('')
  const [role, setRole] = useState<Role>('editor')
  const [made, setMade] = useState<readonly CreatedInvitation[]>([])
  const [isDone, setDone] = useState(false)
  const invite = async () => {
    const newAddresses = parseAddresses(emails).filter((email) => !made.some((one) => one.email === email))
    const links = [...made]
    try {
      for (const email of newAddresses.slice(0, MAX_INVITED))
        links.push({ ...(await internal('createInvitation', { body: { email, role } })), email })
      setDone(true)
    } finally {
      // Invitations before the rejected one exist already and are not created again.
      setMade(links)
      void queryClient.invalidateQueries({ queryKey: internalKey('listInvitations') })
    }
  }
  if (isDone && made.length > 0) return <InvitationLinks made={made} onClose={onClose} />
  const roles = ROLES.filter((one) => one !== 'owner' || roleHasPermission(myRole, 'owners'))
  return (
    <FormDialog
      title={t('Invite people')}
      action={parseAddresses(emails).length > 1 ? t('Create the links') : t('Create the link')}
      fields={FIELDS}
      onSubmit={invite}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextareaField
            label={t('E-mail addresses')}
            error={
              faults.email === undefined
                ? undefined
                : `${parseAddresses(emails)[made.length] ?? ''}: ${faults.email}`
            }
            hint={t('One per line, up to {count}.', { count: MAX_INVITED })}
            required
            autoFocus
            rows={2}
            spellcheck={false}
            class="min-h-15"
            value={emails}
            onText={setEmails}
          />
          <FieldSet label={t('Role')}>
            <RadioGroup
              label={t('Role')}
              value={role}
              onChange={setRole}
              choices={roles.map((one) => ({
                value: one,
                label: ROLE_NAMES[one],
                about: ROLE_DESCRIPTIONS[one],
              }))}
            />
          </FieldSet>
        </>
      )}
    </FormDialog>
  )
}

/** Returns the addresses in order, without duplicates. */
function parseAddresses(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter(Boolean))]
}

/** Shows the links once, since the server stores only hashes. A lost link can be replaced by a new one. */
export function InvitationLinks({
  made,
  onClose,
}: {
  made: readonly CreatedInvitation[]
  onClose: () => void
}) {
  const [first] = made
  if (first === undefined) return null
  const isOne = made.length === 1
  const duration = formatDurationUntil(first.expiresAt)
  return (
    <Dialog
      title={dialogTitle(made)}
      about={
        isOne
          ? t('For {email}. It works once, within {duration}.', { email: first.email, duration })
          : t('Each is for one person and works once, within {duration}.', { duration })
      }
      onClose={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      }
    >
      {isOne ? (
        <CopyField text={first.link} label={t('Link of the invitation')} />
      ) : (
        <CodeBlock title={t('Links')} text={made.map(({ email, link }) => `${email} ${link}`).join('\n')} />
      )}
      <p class="mt-3 text-13 text-soft">
        {describeMailed(made)} {t('For a lost one, take “New link” in the list of open invitations.')}
      </p>
    </Dialog>
  )
}

function dialogTitle(made: readonly CreatedInvitation[]): string {
  return made.every(({ isMailed }) => isMailed)
    ? plural(made.length, 'The invitation is on its way', '{count} invitations are on their way')
    : plural(made.length, 'Send this link', 'Send these {count} links')
}

function describeMailed(made: readonly CreatedInvitation[]): string {
  const unsent = made.filter(({ isMailed }) => !isMailed)
  if (unsent.length === 0)
    return plural(
      made.length,
      'The link goes to this address by mail. You can give it on yourself as well.',
      'Each link goes to its address by mail. You can give them on yourself as well.',
    )
  if (unsent.length === made.length)
    return plural(
      made.length,
      'No mail is sent from here: give the link on yourself.',
      'No mail is sent from here: give the links on yourself.',
    )
  return t('By mail go all but those of {addresses}: give these on yourself.', {
    addresses: unsent.map(({ email }) => email).join(', '),
  })
}
