//! Driving a method over an interval: control, observation, dense output, events.
