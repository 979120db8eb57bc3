/// Values that follow others. Each keeps what it follows, and lets go of it when it goes itself.
extension Dynamic {
    /// What `transform` makes of each value, as many times as the value is set.
    public func map<Mapped>(_ transform: @escaping (Value) -> Mapped) -> Dynamic<Mapped> {
        let mapped = Dynamic<Mapped>(transform(value))
        mapped.follow(self) { mapped, value in mapped.value = transform(value) }
        return mapped
    }

    /// What `make` makes of the two, whenever either is set.
    ///
    /// Where both follow a third, it is told twice when that is set, and the first time one of the two is still as it was.
    public func combined<Other, Result>(
        with other: Dynamic<Other>, _ make: @escaping (Value, Other) -> Result
    ) -> Dynamic<Result> {
        let combined = Dynamic<Result>(make(value, other.value))
        combined.follow(self) { [unowned other] combined, value in combined.value = make(value, other.value) }
        combined.follow(other) { [unowned self] combined, value in combined.value = make(self.value, value) }
        return combined
    }
}

extension Dynamic where Value: Equatable {
    /// The same, silent where a value is set that equals the one before.
    public func removingDuplicates() -> Dynamic {
        let changes = Dynamic(value)
        changes.follow(self) { changes, value in
            if changes.latest != value { changes.value = value }
        }
        return changes
    }
}
