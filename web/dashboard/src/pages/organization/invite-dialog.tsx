import { useState } from 'preact/hooks'
import { mayDo, ROLES, type Role } from '../../../../../src/contract/roles.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { useMembership } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { RadioGroup } from '../../ui/choice.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldSet } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { timeUntil } from '../../ui/time.tsx'
import { ROLE_NAMES, ROLE_WORDS } from './role-words.ts'

const FIELDS = ['email', 'role'] as const

/** The link is in the state of this component alone, and gone when it closes. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { role: myRole } = useMembership()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('editor')
  const [made, setMade] = useState<{ link: string; email: string; expiresAt: string } | null>(null)
  const invite = async () => {
    setMade(await internal('createInvitation', { body: { email: email.trim(), role } }))
    void queryClient.invalidateQueries({ queryKey: internalKey('listInvitations') })
  }
  if (made !== null) {
    return (
      <Dialog
        title="Send this link"
        about={`For ${made.email}. It works once, within ${timeUntil(made.expiresAt)}, and is shown only now.`}
        onClose={onClose}
        actions={
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <CopyField text={made.link} label="Link of the invitation" />
        <p class="mt-3 text-13 text-soft">No mail is sent from here: give the link on yourself.</p>
      </Dialog>
    )
  }
  const roles = ROLES.filter((one) => one !== 'owner' || mayDo(myRole, 'owners'))
  return (
    <FormDialog
      title="Invite a person"
      action="Make the link"
      fields={FIELDS}
      onSubmit={invite}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <TextField
            label="E-mail address"
            error={faults.email}
            type="email"
            required
            autoFocus
            autocomplete="off"
            value={email}
            onText={setEmail}
          />
          <FieldSet label="Role">
            <RadioGroup
              label="Role"
              value={role}
              onChange={setRole}
              choices={roles.map((one) => ({ value: one, label: ROLE_NAMES[one], about: ROLE_WORDS[one] }))}
            />
          </FieldSet>
        </>
      )}
    </FormDialog>
  )
}
