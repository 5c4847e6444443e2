import { useState } from 'preact/hooks'
import { auth } from '../../api/send.ts'
import { reloadSession, useUser } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { UnsavedGuard } from '../../app/unsaved.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { Input } from '../../ui/input.tsx'
import { Section } from '../../ui/page.tsx'

export function ProfileSection() {
  const user = useUser()
  const [name, setName] = useState(user.name)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const isDirty = name.trim() !== user.name
  const save = async () => {
    setBusy(true)
    setError(null)
    try {
      await auth('update-user', { name: name.trim() })
      await reloadSession()
      toast({ kind: 'done', title: 'Your name is saved' })
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  return (
    <Section title="Profile">
      <UnsavedGuard isDirty={isDirty} what="Your new name" />
      <Card class="p-4">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (isDirty && !isBusy) void save()
          }}
        >
          <FormFailure error={error} />
          <Field label="Name" hint="As others see it beside what you change.">
            {(field) => (
              <Input
                {...field}
                required
                maxLength={100}
                pattern=".*\S.*"
                autocomplete="name"
                value={name}
                onInput={(event) => setName(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field label="E-mail address" hint="For signing in. It cannot be changed here.">
            {(field) => <Input {...field} readOnly value={user.email} />}
          </Field>
          {isDirty && (
            <Button type="submit" look="primary" isBusy={isBusy}>
              Save
            </Button>
          )}
        </form>
      </Card>
    </Section>
  )
}
