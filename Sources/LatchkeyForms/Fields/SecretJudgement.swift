/// Stands between a form and what its rules and the strength meter say of its secrets: somebody who listens, or who
/// answers in their place because what the form holds is not what was typed.
///
/// Is asked about a field that is not empty: of nothing, rules say the same wherever they are asked.
public protocol SecretJudgement: AnyObject, Sendable {
    /// What the rule in that place among the field's rules says; `judged` asks the rule itself.
    func failure(of rule: Int, on field: FieldKey, _ judged: () -> RuleFailure?) -> RuleFailure?

    /// How strong the new password in `field` is; `estimated` estimates it.
    func strength(of field: FieldKey, _ estimated: () -> PasswordStrength) -> PasswordStrength
}

extension Form {
    /// The same form with `judgement` before what is said of its secrets. Forms made of it have none.
    public func judged(by judgement: any SecretJudgement) -> Form {
        var form = self
        form.judgement = judgement
        return form
    }

    /// Who is asked about the field at `place`: one that is secret, or that is compared to one that is.
    func judgement(at place: Int) -> (any SecretJudgement)? {
        guard let judgement else { return nil }
        let judge = judges[place]
        if judge.shape.isSecret { return judgement }
        return judge.compared.contains { field($0)?.isSecret == true } ? judgement : nil
    }

    func strength(of password: UTF8Span, in field: FieldKey) -> PasswordStrength {
        guard let judgement else { return PasswordStrength.estimate(password) }
        return judgement.strength(of: field) { PasswordStrength.estimate(password) }
    }
}
