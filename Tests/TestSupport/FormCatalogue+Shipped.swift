public import LatchkeyForms

extension FormCatalogue {
    /// The shipped forms, read once, because reading them is slow without optimization.
    public static var shipped: FormCatalogue {
        get throws { try shippedForms.get() }
    }
}

private let shippedForms = Result { () throws(FormDescriptionError) in try FormCatalogue() }
