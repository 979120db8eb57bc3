/// Hears what a ``FormViewModel`` found when it validated its form.
public protocol FormViewModelDelegate: AnyObject {
    /// Called once for each ``FormViewModel/validateForm()``, after the state shows the result.
    func formWasValidated(_ result: ValidationResult)
}
